; TypeScript, beside ecmascript.scm.

(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(type_alias_declaration name: (_) @name) @definition.type
(internal_module name: (_) @name) @definition.module
(module name: (identifier) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
(method_signature name: (_) @name) @definition.method
(construct_signature "new" @name) @definition.method
(property_signature name: (_) @name type: (type_annotation (function_type))) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(class_body
  (public_field_definition
    name: (_) @name
    value: [(arrow_function) (function_expression)]) @definition.method)
(enum_body (property_identifier) @name @definition.constant)
(enum_body (enum_assignment name: (_) @name) @definition.constant)

(extends_clause value: [(identifier) (member_expression)] @reference.inherit)
(implements_clause [(type_identifier) (nested_type_identifier)] @reference.implement)
(implements_clause (generic_type name: (_) @reference.implement))
(extends_type_clause type: [(type_identifier) (nested_type_identifier)] @reference.extend)
(extends_type_clause type: (generic_type name: (_) @reference.extend))

; Names whose type is written beside them.
(required_parameter pattern: (identifier) @name type: (type_annotation (_) @type)) @binding.type
(optional_parameter pattern: (identifier) @name type: (type_annotation (_) @type)) @binding.type
(variable_declarator name: (identifier) @name type: (type_annotation (_) @type)) @binding.type
(public_field_definition name: (_) @name type: (type_annotation (_) @type)) @binding.type
(property_signature name: (_) @name type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @type)) @binding.type
(required_parameter [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name type: (type_annotation (_) @type)) @binding.property
(required_parameter [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name value: (new_expression constructor: (_) @type)) @binding.property
(optional_parameter [(accessibility_modifier) "readonly"]
  pattern: (identifier) @name type: (type_annotation (_) @type)) @binding.property
