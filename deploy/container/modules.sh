#!/bin/sh
# modules.sh FOLDER: takes out of a node_modules what the service never reads. Licences stay.
set -eu
cd "$1"
# the runtime of the local encoder comes with the libraries of every platform
find onnxruntime-node/bin -type f ! -path "*/$(node -p 'process.platform + "/" + process.arch')/*" -delete
# of the tokenizers, one is used, as an ES module
find gpt-tokenizer/src gpt-tokenizer/cjs gpt-tokenizer/data -type f -delete
find gpt-tokenizer/esm/bpeRanks -type f ! -name 'o200k_base.js' -delete
# OpenTelemetry is published three times over; Node.js reads build/src
rm -rf @opentelemetry/*/build/esm @opentelemetry/*/build/esnext
# suites of tests that were published with their packages
rm -rf @mixmark-io/domino/test bintrees/test
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
find . -type d -empty -delete
