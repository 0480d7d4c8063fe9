# make setup   a virtual environment in .venv with samespec and its test tools
# make test    linter, type checker, tests
# make demo    one honest edit and one attack, judged
# make clean   removes what these made

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PACKAGES := $(patsubst %/__init__.py,%,$(wildcard */__init__.py))

.PHONY: setup test demo clean

setup: $(STAMP)

# Made anew when pyproject.toml changes: an installed set of packages never outlives the list it came from.
$(STAMP): pyproject.toml
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

test: setup
	$(BIN)/ruff check .
	$(BIN)/mypy $(PACKAGES)
	$(BIN)/python -m pytest -q -n 2

# $(call judge,TASK,EDIT,STATUS): checks an edit of the corpus, and fails unless the exit status is the expected one.
define judge
	@echo "$$ samespec check corpus/tasks/$(1)/original.rs corpus/tasks/$(1)/edits/$(2)/submitted.rs"
	@$(BIN)/samespec check corpus/tasks/$(1)/original.rs corpus/tasks/$(1)/edits/$(2)/submitted.rs; status=$$?; \
		echo "(exit status $$status)"; echo; test $$status -eq $(3)
endef

demo: setup
	$(call judge,sort,no_descent,0)
	$(call judge,sort,compared_with_itself,1)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
