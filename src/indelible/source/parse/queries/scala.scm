; Scala.

(package_clause name: (_) @package)
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(package_object name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.interface
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.class
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(type_definition name: (_) @name) @definition.type
(given_definition name: (_) @name) @definition.variable
(compilation_unit [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)]
  @definition.variable)
(template_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)]
  @definition.variable)
(with_template_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)]
  @definition.variable)
(val_declaration name: (identifier) @name) @definition.variable
(var_declaration name: (identifier) @name) @definition.variable
(call_expression
  function: (call_expression function: (identifier) @callee arguments: (arguments . (string) @name))
  arguments: (block)) @definition.test

(call_expression function: [(identifier) (field_expression)] @reference.call)
(call_expression function: (generic_function function: [(identifier) (field_expression)] @reference.call))
(instance_expression [(type_identifier) (generic_type) (stable_type_identifier)] @reference.construct)
(annotation name: (_) @reference.decorator)
(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @reference.inherit)

(import_declaration) @import

; Names whose type is written beside them.
(parameter name: (identifier) @name type: [(type_identifier) (generic_type) (stable_type_identifier)] @type) @binding.type
(class_parameter
  name: (identifier) @name
  type: [(type_identifier) (generic_type) (stable_type_identifier)] @type) @binding.type
(val_definition
  pattern: (identifier) @name
  type: [(type_identifier) (generic_type) (stable_type_identifier)] @type) @binding.type
(var_definition
  pattern: (identifier) @name
  type: [(type_identifier) (generic_type) (stable_type_identifier)] @type) @binding.type
(val_definition
  !type
  pattern: (identifier) @name
  value: (instance_expression [(type_identifier) (generic_type) (stable_type_identifier)] @type)) @binding.type
(val_definition
  !type
  pattern: (identifier) @name
  value: (call_expression function: [(identifier) (field_expression)] @type)) @binding.call
