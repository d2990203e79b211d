#!/usr/bin/python3
"""Checks every line of raw files, which gzip may have compressed, against schema.json: validate.py FILE|FOLDER...

Exit status 1 if a line does not fit, or without a file.
"""
import gzip
import json
import pathlib
import sys

import jsonschema  # Of the package python3-jsonschema.

named = map(pathlib.Path, sys.argv[1:])
files = [file for each in named for file in (sorted(each.rglob("*.jsonl*")) if each.is_dir() else [each])]
if not files:
    sys.exit(__doc__)
schema = json.loads(pathlib.Path(__file__).with_name("schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
wrong = False
for file in files:
    content = file.read_bytes()
    if file.suffix == ".gz":
        content = gzip.decompress(content)
    for number, line in enumerate(content.splitlines(), 1):  # As bytes: text ends lines at U+2028 too.
        error = jsonschema.exceptions.best_match(validator.iter_errors(json.loads(line.decode())))
        if error:
            wrong = True
            print(f"{file}:{number}: {error.message}", file=sys.stderr)
sys.exit(wrong)
