; Elements of JSX: a component is called where it stands.

(jsx_opening_element name: [(identifier) (member_expression)] @reference.component)
(jsx_self_closing_element name: [(identifier) (member_expression)] @reference.component)
