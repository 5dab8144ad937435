-- The program knows the event types (resources/webhooks/events/event-types.ts): a new one needs no migration.
alter table events drop constraint events_type_check;
