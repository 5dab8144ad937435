-- The traceparent (W3C Trace Context) of the request that placed an order, and of what caused an event: the payment may be
-- settled and the event delivered later, by another process, in the same trace. Null while tracing is off.
alter table orders add column trace_context text;
alter table events add column trace_context text;
