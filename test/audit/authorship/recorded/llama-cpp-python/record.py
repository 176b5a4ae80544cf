"""Replies of a real server, as their bytes came: python record.py replies.jsonl.gz OBSERVER.gguf PERFORMER.gguf

The server is llama-cpp-python 0.3.36 (OpenAI-compatible, `echo` with `logprobs`), the models are those of make_model.py.
Each line holds a request's body and the reply's, of one text by one model: whole texts with 5 alternatives at each
token, their beginnings with all that the vocabulary has. The models start with a token of their own (BOS): without one this server's
log-probabilities stand one token too early.
"""
import gzip
import json
import subprocess
import sys
import time
import urllib.request

TEXTS = [
    "The paper presents a method for judges that are swayed by the length of an answer. The experiments are broad, "
    "but the text does not say how the judges were asked.",
    "I do not see why this works. Table 2 has no error bars, and the baseline was never tuned; with more seeds the "
    "gain may well be gone. Please say what the proxy does where a verdict cannot be read.",
    "Sound and short.\nThe reply of the judge is read from its own words, and what cannot be read is no verdict.",
]
out, *models = sys.argv[1:]
with gzip.open(out, "wt", encoding="utf8") as lines:
    for name, path in zip(["observer", "performer"], models):
        server = subprocess.Popen(
            [sys.executable, "-m", "llama_cpp.server", "--model", path, "--model_alias", name]
            + ["--logits_all", "true", "--n_ctx", "1024", "--port", "8973"],
            stderr=subprocess.DEVNULL,
        )
        url = "http://127.0.0.1:8973/v1/"
        try:
            for _ in range(120):
                try:
                    urllib.request.urlopen(url + "models").close()
                    break
                except OSError:
                    time.sleep(0.5)
            for text, logprobs in [*((text, 5) for text in TEXTS), *((text[:70], 300) for text in TEXTS)]:
                body = {"model": name, "prompt": text, "max_tokens": 1, "temperature": 0}
                request = json.dumps({**body, "echo": True, "logprobs": logprobs})
                sent = urllib.request.Request(
                    url + "completions", request.encode(), {"content-type": "application/json"}
                )
                reply = urllib.request.urlopen(sent).read().decode()
                lines.write(json.dumps({"model": name, "request": request, "reply": reply}) + "\n")
        finally:
            server.terminate()
            server.wait()
