; Python. Capture names: languages.py.

(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(type_alias_statement left: (type (identifier) @name)) @definition.type
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(module (expression_statement (assignment left: (pattern_list (identifier) @name)) @definition.variable))
(class_definition
  body: (block (expression_statement (assignment left: (identifier) @name right: (_)) @definition.constant)))

(decorated_definition definition: (_) @wrapped) @wrapper

(call function: [(identifier) (attribute)] @reference.call)
(class_definition superclasses: (argument_list [(identifier) (attribute)] @reference.inherit))
(class_definition superclasses: (argument_list (subscript value: [(identifier) (attribute)] @reference.inherit)))
(decorator [(identifier) (attribute)] @reference.decorator)

(import_statement) @import
(import_from_statement) @import

; Names whose type is written beside them.
(typed_parameter (identifier) @name type: (_) @type) @binding.type
(typed_default_parameter name: (_) @name type: (_) @type) @binding.type
(assignment left: [(identifier) (attribute)] @name type: (_) @type) @binding.type
(assignment
  left: [(identifier) (attribute)] @name
  right: (call function: [(identifier) (attribute)] @type)) @binding.call
(as_pattern
  (call function: [(identifier) (attribute)] @type)
  alias: (as_pattern_target (identifier) @name)) @binding.call
