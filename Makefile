# make demo   set everything up and translate the sample archive
# make test   set everything up, check the code, run all tests
# Run `make help` for the rest.

SHELL := /bin/bash
# Where Python is told to keep no bytecode, every process compiles all of PRISM again.
export PYTHONDONTWRITEBYTECODE :=
VENV ?= .venv
PYTHON := $(VENV)/bin/python
DEMO := demo-output
# The distributions beside the product are folders with a pyproject.toml.
PARTS := $(sort $(patsubst %/pyproject.toml,%,$(wildcard $(addsuffix /pyproject.toml,prism_core/* prism_core/*/* prism_core/*/*/*))))
# prism-train needs PyTorch, which is larger than all the rest.
LIGHT_PARTS := $(filter-out prism_core/training,$(PARTS))
PROJECTS := pyproject.toml $(PARTS:%=%/pyproject.toml)

.PHONY: help demo test test-nightly compiled lint setup setup-dev apertium programs benchmarks constraints report-columns model docs wheel release clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: setup ## Translate data/samples into demo-output, in clear and encoded, on this machine
	@echo "==> Translating data/samples (English) into $(DEMO)/here (Portuguese) on this machine"
	@rm -rf $(DEMO)
	@$(VENV)/bin/prism translate data/samples $(DEMO)/here --to pt --engine prefect; \
	  code=$$?; [ $$code -le 1 ] || exit $$code
	@echo "==> One sample is damaged on purpose; the report says so: $(DEMO)/here/prism-report/index.html"
	@echo "==> Translating them once more, encoded, by the same model as a provider on loopback"
	@$(PYTHON) -m scripts.side_by_side $(DEMO)

SELECTED := -m "not nightly"
test: setup-dev programs ## Check style and types, then run the tests of a push
	@$(MAKE) --no-print-directory -j2 lint compiled
	@echo "==> Running the tests; make test-nightly runs the drills, too"
	@$(PYTHON) -m pytest -n auto --dist loadscope $(SELECTED)

test-nightly: SELECTED :=
test-nightly: test ## Check style and types, then run all tests

# mypy keeps one core busy. Meanwhile another compiles what each process of tests would compile.
compiled: setup-dev
	@$(PYTHON) -m pytest --collect-only -qq >/dev/null 2>&1 || true

lint: setup-dev ## Check style (ruff) and types (mypy)
	@echo "==> Checking style and types"
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy

setup: $(VENV)/.installed ## Install PRISM into its own virtual environment
setup-dev: $(VENV)/.installed-dev

$(VENV)/.installed: $(PROJECTS) constraints.txt scripts/make-venv
	@scripts/make-venv $(VENV) '.[firefox,prefect]' $(LIGHT_PARTS)
	@scripts/ensure-models $(VENV)
	@touch $@

$(VENV)/.installed-dev: $(PROJECTS) constraints.txt scripts/make-venv
	@scripts/make-venv $(VENV) '.[dev]' $(PARTS)
	@scripts/ensure-models $(VENV)
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml constraints.txt scripts/make-venv
	@scripts/make-venv $(VENV) '.[docs]'
	@touch $@

apertium: ## Install Apertium with English-Spanish when it is missing
	@scripts/ensure-programs apertium

programs: ## Install all programs that tests need, where they are missing
	@scripts/ensure-programs apertium browser fonts network ocr postgresql rendering

benchmarks: setup-dev ## Measure whole jobs and write docs/measurements/table.md (needs PRISM_SHARED_DATA)
	@$(PYTHON) -m benchmarks.table --out docs/measurements/table.md

constraints: setup-dev $(VENV)/.installed-docs ## Write constraints.txt from what is installed
	@scripts/write-constraints $(VENV)

report-columns: setup-dev ## Write the tables of columns in docs from the schema of the report
	@$(PYTHON) -m scripts.report_columns

model: setup-dev ## Train the language model again (about 20 minutes; needs PRISM_SHARED_DATA)
	@$(PYTHON) -m scripts.training.train --data "$${PRISM_SHARED_DATA:-../shared/data}/english" --output data/en_prism

docs: $(VENV)/.installed-docs ## Build the documentation site into site
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict
	@echo "==> The first page is site/index.html; to search, too: python3 -m http.server -b 127.0.0.1 -d site"

wheel: setup-dev ## Build the packages that uv, pipx and pip install, in dist
	@for part in . $(PARTS); do (cd $$part && $(abspath $(PYTHON)) -m hatchling build -t wheel -d $(CURDIR)/dist) || exit; done

release: setup-dev ## Build the wheel, the list of what it needs (SBOM) and checksums, in dist
	@$(PYTHON) -m scripts.release dist

clean: ## Remove the environment, the demo's output and the site
	rm -rf $(VENV) $(DEMO) site
