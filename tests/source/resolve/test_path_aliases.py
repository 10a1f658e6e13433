"""Imports that a tsconfig.json gives a meaning."""

import pytest

from code_edges_of import calls
from indelible.source.resolve.path_aliases import declared

CONFIG = """{
  // where "@/" stands
  "compilerOptions": {
    "baseUrl": ".", /* the top */
    "paths": { "@/*": ["src/*", "generated/*"], "config": ["./src/config.ts"], "~*/end": ["./src/*"], },
  },
}"""


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("@/lib/run", "web/src/lib/run"),
        ("@/made", "web/generated/made"),
        ("config", "web/src/config"),
        ("~lib/run/end", "web/src/lib/run"),
        ("src/lib/run", "web/src/lib/run"),
        ("@/nothing", None),
        ("react", None),
    ],
)
def test_an_import_means_what_the_aliases_of_its_folder_say(module, target):
    body = "export function run() {}"
    files = {f"web/{path}.ts": body for path in ("src/lib/run", "generated/made", "src/config", "other/made")}
    main = f"import {{ run }} from '{module}';\nfunction f() {{ run(); }}"
    found = calls(files | {"web/src/main.ts": main}, npm_packages=declared("web", CONFIG))
    assert found == ([f"web/src/main.f CALLS {target}.run"] if target else [])
    assert calls(files | {"app/main.ts": main}, npm_packages=declared("web", CONFIG)) == []


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", '{"compilerOptions": 3}', '{"compilerOptions": {"paths": [1], "baseUrl": 2}}', "[" * 100_000),
        '{"compilerOptions": {"paths": {"@/*": ["../../out/*"], "b": [], "c": 1, "d": null}, "baseUrl": "../.."}}',
    ],
)
def test_what_is_no_tsconfig_or_leads_out_of_the_tree_has_no_aliases(text):
    assert declared("web", text) == {}
