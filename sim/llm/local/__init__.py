"""Models in this process: llama.cpp and transformers."""
