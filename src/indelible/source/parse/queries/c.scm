; C, and what C++ has of it.

(function_definition declarator: (_) @declarator) @definition.function
(struct_specifier name: (_) @name body: (_)) @definition.struct
(union_specifier name: (_) @name body: (_)) @definition.struct
(enum_specifier name: (_) @name body: (_)) @definition.enum
(enumerator name: (_) @name) @definition.constant
(type_definition type: (struct_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_)) declarator: (type_identifier) @name) @definition.enum
(type_definition
  type: [(primitive_type) (type_identifier) (sized_type_specifier)]
  declarator: (_) @declarator) @definition.type
(type_definition type: [(struct_specifier name: (_)) (union_specifier name: (_)) (enum_specifier name: (_))]
  declarator: (_) @declarator) @definition.type
(preproc_def name: (_) @name) @definition.constant
(preproc_function_def name: (_) @name) @definition.macro
(translation_unit (declaration declarator: (init_declarator declarator: (_) @declarator)) @definition.variable)

(call_expression function: [(identifier) (field_expression)] @reference.call)

(preproc_include) @import

; Names whose type is written beside them.
(parameter_declaration type: [(type_identifier) (struct_specifier)] @type declarator: (_) @name) @binding.type
(field_declaration type: [(type_identifier) (struct_specifier)] @type declarator: (_) @name) @binding.type
(declaration type: [(type_identifier) (struct_specifier)] @type
  declarator: [(identifier) (pointer_declarator) (init_declarator)] @name) @binding.type
