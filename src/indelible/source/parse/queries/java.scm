; Java.

(package_declaration [(identifier) (scoped_identifier)] @package)
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_constant name: (_) @name) @definition.constant
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method
(compact_constructor_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (_) @name)) @definition.constant
(interface_body (constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.constant)

(method_invocation name: (_) @name) @reference.call
(object_creation_expression type: [(type_identifier) (scoped_type_identifier)] @reference.construct)
(object_creation_expression type: (generic_type [(type_identifier) (scoped_type_identifier)] @reference.construct))
(explicit_constructor_invocation constructor: (_) @reference.call)
(superclass [(type_identifier) (scoped_type_identifier)] @reference.inherit)
(superclass (generic_type [(type_identifier) (scoped_type_identifier)] @reference.inherit))
(super_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @reference.implement))
(super_interfaces (type_list (generic_type [(type_identifier) (scoped_type_identifier)] @reference.implement)))
(extends_interfaces (type_list [(type_identifier) (scoped_type_identifier)] @reference.extend))
(extends_interfaces (type_list (generic_type [(type_identifier) (scoped_type_identifier)] @reference.extend)))
(marker_annotation name: (_) @reference.decorator)
(annotation name: (_) @reference.decorator)

(import_declaration) @import

; Names whose type is written beside them.
(formal_parameter type: (_) @type name: (_) @name) @binding.type
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (_) @name)) @binding.type
(field_declaration type: (_) @type declarator: (variable_declarator name: (_) @name)) @binding.type
