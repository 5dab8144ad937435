-- The table of this package, as a program's migrations create it.
CREATE TABLE signing_keys (
  kid text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_key text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  purpose text DEFAULT 'certificates'::text NOT NULL,
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid),
  CONSTRAINT signing_keys_purpose_check CHECK ((purpose = ANY (ARRAY['certificates'::text, 'license log'::text])))
);
