"""What ``noodle`` says to ``--help``."""

USAGE = """\
usage: noodle COMMAND ...

  run [key=value ...] [-m]    run an experiment; with -m every combination of values
  show RUN --customer X       dialogues, contexts and losses of one person
  compare RUN RUN             two runs side by side, paired by question
  collect DIR ...             one table over many runs; the arms of a sweep side by side, paired
  report DIR                  one page for a run or a sweep: figures, the worst losses, search
  doctor [key=value ...]      are the models of a configuration there, how fast, what will a run take
  serve [key=value ...]       the vLLM commands for a configuration; --start carries them out
  calibrate RUN               a surrogate that errs and waits as the models of that run did
  explain-miss RUN            what a replay asks that the journal does not have
  bench locomo --data FILE    how well the retrieval finds the evidence of LoCoMo
  diff A B                    what one saved memory has and another has not
  search PATH TEXT            records of saved memories that are like a text
  forget RUN --customer X     erase a person from saved memories

noodle COMMAND --help says more.
"""

RUN_HELP = """\
usage: noodle run [key=value ...] [-m]          (or: python -m sim ...)

Runs one experiment and leaves it in outputs/<date>/<time>/.

groups (a name picks conf/<group>/<name>.yaml; group.key=value changes one key):
  scenario=noodle_shop        the world, or cafe; scenario.weeks=8 scenario.regulars=40
  memory=flat                 none, window, transcript, simple, flat, oracle
                              memory.top_k=3  memory.budget_tokens=1500  memory.scope=agent|customer
                              memory.visible_after=0|next_morning  memory.sharing=private|shared
  llm=surrogate               surrogate, scripted, smollm2 (a real model in this process), vllm, glm_qwen,
                              ollama, llamacpp, transformers, zai; replay with llm.journal=RUN
                              llm.max_in_flight=64  llm.limits.max_calls=N|max_tokens=N|max_hours=X
  embedder=wordllama          wordllama, minilm, sentence_transformers
  experiment=smoke            a set of keys on top of all this: the shop for a week, few customers;
                              sweeps: memory_ladder, top_k, compression, ablation, forgetting,
                              model_errors, context_size

keys:
  seed=0                      root of every random draw
  replications=1              so many seeds on one loop, seed-<n>/ each
  probes.enabled=true         examinations, which change nothing; probes.every_days, probes.sample
  max_failure_rate=0.05       share of failed model calls beyond which a run is degraded
  resume=RUN                  take up an interrupted run in its own folder, as it was configured; only
                              llm.limits.*, llm.max_in_flight and base_urls may be others
  hydra.run.dir=DIR           where to write; with -m hydra.sweep.dir=DIR, one folder per arm: the same
                              command again runs what is missing or failed
  hydra/launcher=cores        arms of a sweep side by side; slurm, ray_tasks (each needs its extra)
  progress=true plots=true log.rows_per_part=50000

options:
  -m, --multirun              run every combination of the values given with commas
  --cfg job                   print the whole configuration and stop
  --config-dir DIR            look for groups of your own here as well
  --hydra-help                what else Hydra can do

examples:
  noodle run experiment=smoke
  noodle run memory=window scenario.weeks=4 seed=7
  noodle run -m memory=none,window,flat,oracle seed=0,1,2

exit codes: 0 done; 1 failed, or degraded beyond its limit; 2 bad input; 130 interrupted,
or stopped at a limit (resumable); 141 nobody read the output
"""

DOCTOR_HELP = """\
usage: noodle doctor [key=value ...]

Takes what noodle run takes, llm=glm_qwen before all. Looks at every server and model (is it there, how
much fits, are JSON schemas kept), asks each some questions of the configured run, alone and eight at
once, estimates calls, tokens and hours of the run, and says in plain words what is wrong and what to do.

exit codes: 0 a run would work; 2 it would not
"""

SERVE_HELP = """\
usage: noodle serve [--start] [key=value ...]

Prints the commands that start the servers of the models, as their settings say (llm=glm_qwen,
glm_qwen_40gb, glm_qwen_one_gpu, vllm; llm.models.NAME.serve). With --start it starts them here, shows
their output line by line, says when all are up, and stops all when one ends or on Ctrl-C.

exit codes: 0 printed; 1 a server ended by itself; 2 bad input; 130 stopped by Ctrl-C
"""
