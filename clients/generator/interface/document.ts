/** The parts of an OpenAPI document from which the client libraries are generated. */
export interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    /** The content of webhooks, by event type. */
    pathItems: Record<string, { post: { summary: string; requestBody: { content: JsonContent } } }>;
  };
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: DocumentedParameter[];
  requestBody?: { content: JsonContent };
  responses: Record<string, { content?: JsonContent }>;
  "x-permission"?: string;
  "x-test-mode"?: true;
  /** The method of the client libraries, such as `beats.list`; absent if they have none. */
  "x-client-method"?: string;
}

export interface DocumentedParameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

type JsonContent = { "application/json"?: { schema: Schema; example?: unknown } };

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

/** The name of the component to which a schema refers; null if it is not a reference. */
export const referencedName = ({ $ref }: Schema): string | null => $ref?.split("/").at(-1) ?? null;
