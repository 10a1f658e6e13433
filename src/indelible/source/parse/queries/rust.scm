; Rust.

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.constant
(trait_item name: (_) @name) @definition.interface
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant
(mod_item name: (_) @name body: (_)) @definition.module
(macro_definition name: (_) @name) @definition.macro
(impl_item !trait type: (_) @name) @scope.type
(impl_item trait: (_) @trait type: (_) @name) @scope.implementation

(call_expression function: [(identifier) (scoped_identifier) (field_expression)] @reference.call)
(call_expression
  function: (generic_function function: [(identifier) (scoped_identifier) (field_expression)] @reference.call))
(macro_invocation macro: [(identifier) (scoped_identifier)] @reference.macro (token_tree) @tree)
(token_tree (identifier) @token.call . (token_tree) @arguments)
(struct_expression name: [(type_identifier) (scoped_type_identifier)] @reference.construct)
(struct_expression name: (generic_type_with_turbofish type: (_) @reference.construct))
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier)] @reference.extend))
(trait_item bounds: (trait_bounds (generic_type type: (_) @reference.extend)))

(use_declaration) @import
(mod_item !body) @import

; Names whose type is written beside them.
(parameter pattern: (identifier) @name type: (_) @type) @binding.type
(let_declaration pattern: (identifier) @name type: (_) @type) @binding.type
(let_declaration
  pattern: (identifier) @name
  value: (call_expression function: [(identifier) (scoped_identifier)] @type)) @binding.call
(let_declaration pattern: (identifier) @name value: (struct_expression name: (_) @type)) @binding.type
(field_declaration name: (_) @name type: (_) @type) @binding.type
