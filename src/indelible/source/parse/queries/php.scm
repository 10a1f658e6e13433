; PHP.

(namespace_definition name: (namespace_name) @package)
(class_declaration name: (_) @name) @definition.class
(trait_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.constant
(const_element . (name) @name) @definition.constant
(method_declaration name: (_) @name) @definition.method
(function_definition name: (_) @name) @definition.function
((function_call_expression
  function: (name) @define
  arguments: (arguments . (argument (string (string_content) @name)))) @definition.constant
  (#eq? @define "define"))

(function_call_expression function: [(name) (qualified_name)] @reference.call)
(member_call_expression name: (name) @name) @reference.call
(nullsafe_member_call_expression name: (name) @name) @reference.call
(scoped_call_expression name: (name) @name) @reference.call
(object_creation_expression [(name) (qualified_name)] @reference.construct)
(attribute [(name) (qualified_name)] @reference.decorator)
(class_declaration (base_clause [(name) (qualified_name)] @reference.inherit))
(anonymous_class (base_clause [(name) (qualified_name)] @reference.call))
(interface_declaration (base_clause [(name) (qualified_name)] @reference.extend))
(class_declaration (class_interface_clause [(name) (qualified_name)] @reference.implement))
(enum_declaration (class_interface_clause [(name) (qualified_name)] @reference.implement))
(declaration_list (use_declaration [(name) (qualified_name)] @reference.implement))

(namespace_use_declaration) @import
(require_once_expression) @import
(require_expression) @import
(include_once_expression) @import
(include_expression) @import

; Names whose type is written beside them.
(simple_parameter type: [(named_type) (optional_type)] @type name: (variable_name) @name) @binding.type
(property_promotion_parameter type: [(named_type) (optional_type)] @type name: (variable_name) @name) @binding.type
(property_promotion_parameter
  type: [(named_type) (optional_type)] @type
  name: (variable_name (name) @name)) @binding.property
(property_declaration
  type: [(named_type) (optional_type)] @type
  (property_element name: (variable_name (name) @name))) @binding.type
(assignment_expression
  left: [(variable_name) (member_access_expression)] @name
  right: (object_creation_expression [(name) (qualified_name)] @type)) @binding.type
