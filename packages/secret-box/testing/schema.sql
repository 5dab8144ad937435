-- The table of this package, as a program's migrations create it, with its row.
CREATE TABLE sealing_key (
  only_row boolean DEFAULT true NOT NULL,
  id text,
  format smallint NOT NULL,
  CONSTRAINT sealing_key_pkey PRIMARY KEY (only_row),
  CONSTRAINT sealing_key_format_check CHECK ((format = ANY (ARRAY[1, 2]))),
  CONSTRAINT sealing_key_only_row_check CHECK (only_row)
);
