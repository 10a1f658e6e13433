; Ruby.

(module name: (_) @name) @definition.module
(class name: (_) @name) @definition.class
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.function
(alias name: (_) @name) @definition.function
(assignment left: (constant) @name) @definition.constant
((assignment left: (constant) @name right: (call receiver: (constant) @made method: (identifier))) @definition.class
  (#any-of? @made "Struct" "Class" "Data"))
((call method: (identifier) @method arguments: (argument_list (simple_symbol) @name)) @definition.method
  (#any-of? @method "attr_reader" "attr_writer" "attr_accessor"))
((call method: (identifier) @method arguments: (argument_list . (simple_symbol) @name)) @definition.method
  (#any-of? @method "define_method" "alias_method"))
(call
  method: (identifier) @callee
  arguments: (argument_list . [(string) (constant) (scope_resolution)] @name)
  block: (_)) @definition.test
((identifier) @access (#any-of? @access "private" "protected" "public"))

(call method: (identifier) @name) @reference.call
((call receiver: [(constant) (scope_resolution)] @reference.construct method: (identifier) @method)
  (#eq? @method "new"))
(superclass [(constant) (scope_resolution)] @reference.inherit)
((call method: (identifier) @method arguments: (argument_list [(constant) (scope_resolution)] @reference.implement))
  (#any-of? @method "include" "extend" "prepend"))

((call method: (identifier) @method arguments: (argument_list . (string))) @import
  (#any-of? @method "require" "require_relative" "load"))

; Names whose type is written beside them.
((assignment
  left: [(identifier) (instance_variable)] @name
  right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @method)) @binding.type
  (#eq? @method "new"))
