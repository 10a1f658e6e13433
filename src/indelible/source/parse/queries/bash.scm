; Bash and other POSIX shells.

(function_definition name: (word) @name) @definition.function
(program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.variable)

(command name: (command_name (word) @reference.call))

((command name: (command_name (word) @source)) @import
  (#any-of? @source "source" "."))
