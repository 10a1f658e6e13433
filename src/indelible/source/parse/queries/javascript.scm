; JavaScript, beside ecmascript.scm and jsx.scm.

(class_body
  member: (field_definition
    property: (_) @name
    value: [(arrow_function) (function_expression)]) @definition.method)
(class_heritage [(identifier) (member_expression)] @reference.inherit)
