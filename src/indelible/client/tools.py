"""The effects of tools on the store, which a client must know while the server is away.

A test holds these names against the registry. A tool that is on no list here (of a newer server) is called with a
request key, retried, and neither cached nor kept for later.
"""

READS = frozenset(
    """recall_memory graph_traverse codemem_stats codemem_health export_memories recall_with_expansion
    recall_with_impact get_decision_chain list_namespaces namespace_stats codemem_metrics consolidation_status
    detect_patterns pattern_insights matrix_recall matrix_status read_graph search_nodes open_nodes search
    retrieve_memory retrieve_by_type build_context ask_with_context route_query query_graph get_document_relationships
    get_chats_by_tool get_context_links_for_message get_messages_for_chunk get_context_usage_statistics
    list_tool_identifiers get_tool_conversations list_todos search_todos get_code_patterns analyze_code_patterns
    search_symbols get_symbol_info get_dependencies get_impact get_clusters get_pagerank get_cross_repo
    search_code review_diff what_changed""".split()
)
# Recipes of the knowledge graph, which servers answer and do not list.
RECIPES = frozenset("fixes breaks fixes_by_dependency fix_evidence".split())
# Writes that change nothing if they were done before, by any caller and at any time.
REPEATABLE = frozenset(
    """store_memory import_memories consolidate_creative consolidate_summarize matrix_store create_entities
    create_relations add_observations link_resources auto_link_documents store_context_links complete_todo""".split()
)
# Writes that would do something a second time, or undo what somebody else did since.
ONCE = frozenset(
    """update_memory associate_memories delete_memory refine_memory split_memory merge_memories delete_namespace
    set_scoring_weights consolidate_decay consolidate_cluster consolidate_forget matrix_reward matrix_failure
    delete_entities delete_observations delete_relations memorize feedback delete log_chat add_todo log_code_attempt
    index_codebase""".split()
)
WRITES = REPEATABLE | ONCE
ITEMWISE = {"import_memories": "memories"}  # the argument of which bad items are reported and the others taken
