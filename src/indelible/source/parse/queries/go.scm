; Go.

(package_clause (package_identifier) @package)
(function_declaration name: (identifier) @name) @definition.function
(method_declaration receiver: (_) @receiver name: (_) @name) @definition.method
(type_spec name: (_) @name type: (struct_type)) @definition.struct
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name type: [(type_identifier) (qualified_type) (generic_type) (pointer_type) (array_type)
  (slice_type) (map_type) (channel_type) (function_type) (parenthesized_type)]) @definition.type
(type_alias name: (_) @name) @definition.type
(method_elem name: (_) @name) @definition.method
(source_file (const_declaration (const_spec (identifier) @name) @definition.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

(call_expression function: [(identifier) (selector_expression)] @reference.call)
(call_expression function: (type_instantiation_expression type: (_) @reference.call))
(composite_literal type: [(type_identifier) (qualified_type)] @reference.construct)
(composite_literal type: (generic_type type: (_) @reference.construct))
(field_declaration !name type: [(type_identifier) (qualified_type)] @reference.inherit)
(field_declaration !name type: (generic_type type: (_) @reference.inherit))
(interface_type (type_elem . [(type_identifier) (qualified_type)] @reference.extend .))

(import_spec) @import

; Names whose type is written beside them.
(parameter_declaration name: (identifier) @name type: (_) @type) @binding.type
(var_spec name: (identifier) @name type: (_) @type) @binding.type
(field_declaration name: (_) @name type: (_) @type) @binding.type
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @type))) @binding.call
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . [(composite_literal type: (_) @type)
    (unary_expression operand: (composite_literal type: (_) @type))])) @binding.type
