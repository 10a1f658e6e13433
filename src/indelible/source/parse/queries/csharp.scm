; C#.

(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(struct_declaration name: (_) @name) @definition.struct
(interface_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.constant
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method
(destructor_declaration name: (_) @name) @definition.finalizer
(operator_declaration operator: _ @name) @definition.operator
(conversion_operator_declaration type: (_) @name) @definition.operator
(indexer_declaration "this" @name) @definition.method
((local_function_statement name: (_) @name) @definition.function
  (#not-any-of? @name "if" "while" "switch" "lock" "using" "catch" "foreach"))
(property_declaration name: (_) @name) @definition.variable
(event_declaration name: (_) @name) @definition.variable
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name)) @definition.variable)
((field_declaration (modifier) @modifier (variable_declaration (variable_declarator name: (_) @name))) @definition.constant
  (#eq? @modifier "const"))
((field_declaration (modifier) @static (modifier) @modifier
  (variable_declaration (variable_declarator name: (_) @name))) @definition.constant
  (#eq? @static "static") (#eq? @modifier "readonly"))

(invocation_expression
  function: [(identifier) (generic_name) (member_access_expression) (conditional_access_expression)] @reference.call)
(object_creation_expression type: [(identifier) (generic_name) (qualified_name)] @reference.construct)
(attribute name: (_) @reference.decorator)
(base_list [(identifier) (generic_name) (qualified_name)] @reference.inherit)
(base_list (primary_constructor_base_type type: (_) @reference.inherit))

(using_directive) @import

; Names whose type is written beside them.
(parameter type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type name: (_) @name) @binding.type
(variable_declaration
  type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type
  (variable_declarator name: (_) @name)) @binding.type
(variable_declaration
  type: (implicit_type)
  (variable_declarator name: (_) @name (object_creation_expression type: (_) @type))) @binding.type
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (_) @name
    (invocation_expression function: [(identifier) (member_access_expression)] @type))) @binding.call
(property_declaration
  type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @type
  name: (_) @name) @binding.type
