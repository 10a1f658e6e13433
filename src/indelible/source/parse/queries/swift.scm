; Swift.

(class_declaration declaration_kind: "class" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "actor" name: (type_identifier) @name) @definition.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (user_type) @name) @scope.type
(protocol_declaration name: (type_identifier) @name) @definition.interface
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(enum_entry name: (simple_identifier) @name) @definition.constant
(function_declaration
  name: [(simple_identifier) (custom_operator)
    "==" "!=" "+" "-" "*" "/" "%" "<" ">" "<=" ">=" "+=" "-=" "*=" "/="
    "&&" "||" "!" "~" "&" "|" "^" "<<" ">>" "++" "--" "===" "!==" "..." "..<" "??" "%="] @name) @definition.function
(protocol_function_declaration name: [(simple_identifier) (custom_operator) "==" "+" "-" "<" ">" "<=" ">="] @name) @definition.function
(init_declaration name: "init" @name) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(macro_declaration (simple_identifier) @name) @definition.macro
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable

(call_expression . [(simple_identifier) (navigation_expression)] @reference.call (call_suffix (value_arguments "(")))
(call_expression . [(simple_identifier) (navigation_expression)] @reference.call (call_suffix . (lambda_literal)))
(attribute (user_type) @reference.decorator)
(class_declaration
  declaration_kind: ["class" "actor" "struct" "enum"]
  (inheritance_specifier inherits_from: (user_type) @reference.inherit))
(protocol_declaration (inheritance_specifier inherits_from: (user_type) @reference.extend))
(class_declaration
  declaration_kind: "extension"
  name: (user_type) @subject
  (inheritance_specifier inherits_from: (user_type) @reference.implement))

(import_declaration) @import

; Names whose type is written beside them.
(parameter name: (simple_identifier) @name [(user_type) (optional_type)] @type) @binding.type
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (type_annotation [(user_type) (optional_type)] @type)) @binding.type
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: (call_expression . [(simple_identifier) (navigation_expression)] @type)) @binding.call
