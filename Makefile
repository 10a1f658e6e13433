# The commands of a developer, and of CI: .ci/run calls `check` and `docs`, and the README's own command, which is `test`.
# They use the programs that are on the PATH: activate the environment first (CONTRIBUTING.md).

.PHONY: fast test check docs

# While you write: no process is started, no test takes seconds, under a minute in all on two cores. The stores are in memory
# where the system has 2 GB for files there: a third of the time would be spent waiting for the disk.
fast: export PYTEST_DEBUG_TEMPROOT = $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 {print "/dev/shm"}')
fast: export PYTEST_ADDOPTS = -o tmp_path_retention_policy=failed -o tmp_path_retention_count=1
fast:
	pytest -n 2 -m "not process and not slow and not full" --hypothesis-profile fast

# All tests but the long sweeps, as CI runs them on every platform. Three at once on two cores: they often wait for disks.
test:
	pytest -n 3 -m "not full"

# Lint, format and types: seconds.
check:
	ruff check .
	ruff format --check .
	mypy

# Are the generated pages fresh (`python scripts/generate_docs.py` writes them), and do all pages make a site (build/site)?
# Not --quiet: that hides warnings from --strict, too.
docs:
	python scripts/generate_docs.py --check
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict
