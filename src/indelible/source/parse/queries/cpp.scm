; C++, beside c.scm.

(class_specifier name: (_) @name body: (_)) @definition.class
(namespace_definition name: (_) @name) @definition.module
(namespace_definition !name) @scope.anonymous
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.interface
(field_declaration declarator: [(function_declarator) (pointer_declarator (function_declarator))
  (reference_declarator (function_declarator))] @declarator) @definition.function
(field_declaration_list (declaration declarator: [(function_declarator) (operator_cast)] @declarator) @definition.function)
(declaration_list (declaration declarator: (init_declarator declarator: (_) @declarator)) @definition.variable)
(preproc_ifdef (declaration declarator: (init_declarator declarator: (_) @declarator)) @definition.variable)
(preproc_if (declaration declarator: (init_declarator declarator: (_) @declarator)) @definition.variable)
(template_declaration [(function_definition) (class_specifier) (struct_specifier) (declaration) (alias_declaration)
  (concept_definition)] @wrapped) @wrapper
(access_specifier) @access

(call_expression function: [(qualified_identifier) (template_function)] @reference.call)
(new_expression type: [(type_identifier) (qualified_identifier)] @reference.construct)
(new_expression type: (template_type name: (_) @reference.construct))
(base_class_clause [(type_identifier) (qualified_identifier)] @reference.inherit)
(base_class_clause (template_type name: (_) @reference.inherit))

(using_declaration) @import

; Names whose type is written beside them.
(parameter_declaration type: [(qualified_identifier) (template_type)] @type declarator: (_) @name) @binding.type
(field_declaration type: [(qualified_identifier) (template_type)] @type declarator: (_) @name) @binding.type
(declaration type: [(qualified_identifier) (template_type)] @type
  declarator: [(identifier) (pointer_declarator) (init_declarator)] @name) @binding.type
