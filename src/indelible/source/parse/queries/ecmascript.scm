; What JavaScript and TypeScript have in common.

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(class name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (identifier) @name value: (class !name)) @definition.class
(pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function) (function_expression) (generator_function)]) @definition.method
(arguments (function_expression name: (identifier) @name) @definition.function)
(return_statement (function_expression name: (identifier) @name) @definition.function)
(export_statement "default" @name
  value: [(arrow_function) (function_expression !name) (class !name)] @definition.default)
(assignment_expression
  left: [(identifier) (member_expression)] @name
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.assigned
(assignment_expression left: [(identifier) (member_expression)] @name right: (class)) @definition.class
(program (expression_statement (assignment_expression
  left: (member_expression object: (member_expression property: (property_identifier) @prototype)) @name
  right: [(identifier) (member_expression) (call_expression)]) @definition.variable)
  (#eq? @prototype "prototype"))
(program [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
          (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)])
(program (export_statement
  declaration: [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
                (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)]))
(call_expression
  function: [(identifier) (member_expression)] @callee
  arguments: (arguments
    . [(string) (template_string)] @name
    [(arrow_function) (function_expression)])) @definition.test

(call_expression function: [(identifier) (member_expression) (super)] @reference.call)
(new_expression constructor: [(identifier) (member_expression)] @reference.construct)
(decorator [(identifier) (member_expression)] @reference.decorator)

(import_statement) @import
(export_statement source: (_)) @import
(variable_declarator
  value: [(call_expression function: (identifier) @callee arguments: (arguments . (string)))
          (member_expression
            object: (call_expression function: (identifier) @callee arguments: (arguments . (string))))]) @import

(export_statement (export_clause (export_specifier name: (_) @export)) !source)
(export_statement "default" @default value: (identifier) @export)
(export_statement "default" @default declaration: (_ name: (_) @export))
(assignment_expression
  left: (member_expression) @callee
  right: (object [(shorthand_property_identifier) @export (pair value: (identifier) @export)]))
(assignment_expression left: (member_expression) @callee right: (identifier) @export)
(assignment_expression
  left: (member_expression) @callee
  right: [(function_expression name: (_) @export) (class name: (_) @export)])

; Names whose type is written beside them.
(variable_declarator name: (identifier) @name value: (new_expression constructor: (_) @type)) @binding.type
(variable_declarator
  name: (identifier) @name
  value: (call_expression function: [(identifier) (member_expression)] @type)) @binding.call
(variable_declarator
  name: (identifier) @name
  value: (await_expression (call_expression function: [(identifier) (member_expression)] @type))) @binding.call
(assignment_expression left: (member_expression) @name right: (new_expression constructor: (_) @type)) @binding.type
