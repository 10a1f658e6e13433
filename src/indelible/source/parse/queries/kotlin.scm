; Kotlin. Its grammar has one node for classes, interfaces and enums: conventions.kotlin_kind tells them apart.

(package_header (qualified_identifier) @package)
(class_declaration name: (_) @name) @definition.class
(object_declaration name: (_) @name) @definition.class
(type_alias type: (identifier) @name) @definition.type
(function_declaration name: (_) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.method
(enum_entry . (modifiers)? . (identifier) @name) @definition.constant
(source_file (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)

(call_expression . [(identifier) (navigation_expression)] @reference.call)
(annotation [(user_type) (constructor_invocation (user_type))] @reference.decorator)
(delegation_specifier (user_type) @reference.inherit)
(delegation_specifier (constructor_invocation (user_type) @reference.inherit))
(delegation_specifier (explicit_delegation (user_type) @reference.inherit))

(import) @import

; Names whose type is written beside them.
(parameter . (identifier) @name [(user_type) (nullable_type)] @type) @binding.type
(class_parameter (identifier) @name [(user_type) (nullable_type)] @type) @binding.type
(variable_declaration . (identifier) @name [(user_type) (nullable_type)] @type) @binding.type
(property_declaration
  (variable_declaration . (identifier) @name .)
  (call_expression . [(identifier) (navigation_expression)] @type)) @binding.call
