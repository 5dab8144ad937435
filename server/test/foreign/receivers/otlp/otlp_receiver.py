"""Decodes the requests to /v1/traces, and prints each span as a line of JSON: python3 otlp_receiver.py PORT."""

import gzip
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse


def plain(value):
    return getattr(value, value.WhichOneof("value"))


def attributes(pairs):
    return {pair.key: plain(pair.value) for pair in pairs}


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def read_body(self):
        if self.headers.get("transfer-encoding") != "chunked":
            return self.rfile.read(int(self.headers["content-length"]))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def do_POST(self):
        body = self.read_body()
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            service = attributes(resource.resource.attributes).get("service.name")
            for scope in resource.scope_spans:
                for span in scope.spans:
                    print(
                        json.dumps(
                            {
                                "service": service,
                                "name": span.name,
                                "kind": span.kind,
                                "traceId": span.trace_id.hex(),
                                "spanId": span.span_id.hex(),
                                "parentId": span.parent_span_id.hex(),
                                "failed": span.status.code == 2,
                                "attributes": attributes(span.attributes),
                            }
                        ),
                        flush=True,
                    )
        self.send_response(200 if self.path == "/v1/traces" else 404)
        self.send_header("content-type", "application/x-protobuf")
        response = ExportTraceServiceResponse().SerializeToString()
        self.send_header("content-length", str(len(response)))
        self.end_headers()
        self.wfile.write(response)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
