import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import {
  type ApiDocument,
  type Group,
  type Header,
  type OperationResponse,
  type PlacedOperation,
  resolved,
} from "./document.ts";
import { fieldList, fieldsOf, inline, prose, typeOf } from "./field-list.ts";

/** What a site adds to the sections: coloured code, commands, the names of forms, and the addresses of its pages. */
export interface ReferenceSite {
  /** HTML of a program or JSON. */
  highlighted(code: string, language: string): string;
  /** HTML of the command that installs a library. */
  installation(command: string): string;
  /** The names of an API's forms, by media type. An API with one form needs no names. */
  formNames: Readonly<Record<string, string>>;
  /** The page on which a reader can send a call. */
  explorerUrl(operationId: string): string;
  /** The guide to the errors of a status. */
  errorUrl(status: string): string;
}

/** The section of an operation: parameters and responses in one column, programs and an example in the other. */
export function operationSection(
  site: ReferenceSite,
  document: ApiDocument,
  operation: PlacedOperation,
  kind: Group["kind"],
): string {
  const { operationId: id, summary = operation.operationId, description = "" } = operation;
  const permission = operation["x-permission"];
  const text = description
    .trimEnd()
    .replace(/\nPermission: `[^`]*`\.$/, "")
    .trimEnd();
  return `<section class="operation" id="${escapeHtml(id)}" aria-labelledby="${escapeHtml(id)}-title">
<div class="said">
<h2 id="${escapeHtml(id)}-title"><a class="anchor" href="#${escapeHtml(id)}">${escapeHtml(summary)}</a></h2>
<p class="address"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <code>${pathHtml(operation.path)}</code></p>
${operation.deprecated === true ? `<p class="deprecated">Deprecated.</p>` : ""}
${prose(text)}
${
  kind === "webhooks"
    ? ""
    : `<p class="facts">${permission === undefined ? "" : `<span>Permission <code>${escapeHtml(permission)}</code></span>`}
<a class="button" href="${escapeHtml(site.explorerUrl(id))}">Try in explorer<span class="visually-hidden">: ${escapeHtml(summary)}</span></a></p>`
}
${parametersPart(document, operation, kind)}
${bodyPart(document, operation)}
${responsesPart(site, document, operation, kind)}
</div>
<div class="shown">
${programs(site, operation)}
${examples(site, document, operation, kind)}
</div>
</section>`;
}

const pathHtml = (path: string): string =>
  escapeHtml(path)
    .replace(/\{\w+\}/g, (parameter) => `<span class="parameter">${parameter}</span>`)
    .replaceAll("/", "/<wbr>");

const placeTitles: Record<string, string> = { path: "Path", query: "Query parameters", header: "Headers" };

function parametersPart(document: ApiDocument, { parameters = [] }: PlacedOperation, kind: Group["kind"]): string {
  return Object.entries(placeTitles)
    .map(([place, title]) => {
      const fields = parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, required = false, description, deprecated }) => ({
          name,
          schema,
          isRequired: required && kind === "operations",
          description,
          deprecated,
        }));
      return fields.length === 0 ? "" : `<h3>${title}</h3>\n${fieldList(document, fields)}`;
    })
    .join("\n");
}

function bodyPart(document: ApiDocument, { requestBody }: PlacedOperation): string {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return "";
  const fields = media.schema === undefined ? "" : fieldsOf(document, media.schema);
  return `<h3>Body <span class="type">${escapeHtml(type)}</span></h3>
${requestBody?.description === undefined ? "" : prose(requestBody.description)}
${fields}`;
}

function responsesPart(
  site: ReferenceSite,
  document: ApiDocument,
  { operationId, responses }: PlacedOperation,
  kind: Group["kind"],
): string {
  if (kind === "webhooks")
    return `<h3>Your response</h3>\n<ul class="fields">${Object.entries(responses)
      .map(
        ([status, value]) =>
          `<li><code class="name">${escapeHtml(status)}</code><p>${inline(resolved<OperationResponse>(document, value).description)}</p></li>`,
      )
      .join("\n")}</ul>`;
  const [good, refusals] = [/^[23]/, /^[45]/].map((statusClass) =>
    Object.entries(responses).filter(([status]) => statusClass.test(status)),
  ) as [[string, OperationResponse][], [string, OperationResponse][]];
  return `<h3>Response</h3>
${good.map(([status, value]) => successResponse(site, document, status, resolved<OperationResponse>(document, value))).join("\n")}
<h3 id="${escapeHtml(operationId)}-errors">Errors</h3>
<div class="responses">
${refusals.map(([status, value]) => refusal(site, operationId, status, resolved<OperationResponse>(document, value))).join("\n")}
</div>`;
}

function successResponse(
  { formNames }: ReferenceSite,
  document: ApiDocument,
  status: string,
  { description, content = {}, headers = {} }: OperationResponse,
): string {
  const media = Object.entries(content);
  const forms = media.map(([type, { schema = {} }], index) => {
    const fields = fieldsOf(document, schema);
    const name = media.length > 1 ? (formNames[type] ?? "Body") : "Body";
    return fields === ""
      ? `<p class="limits">${escapeHtml(type)}, ${escapeHtml(typeOf(document, schema))}</p>`
      : `<details${index === 0 ? " open" : ""}><summary>${escapeHtml(name)} <span class="type">${escapeHtml(type)}</span></summary>\n${fields}\n</details>`;
  });
  const headerFields = Object.entries(headers).map(([name, value]) => {
    const { schema = {}, description: meaning } = resolved<Header>(document, value);
    return { name, schema, isRequired: false, description: meaning };
  });
  const headersPart =
    headerFields.length === 0
      ? ""
      : `<details><summary>Headers</summary>\n${fieldList(document, headerFields)}\n</details>`;
  return `<div class="response"><p><span class="status ok">${escapeHtml(status)}</span> ${inline(description)}</p>
${forms.join("\n")}
${headersPart}</div>`;
}

/** An error response with its example, and a link to the guide. */
function refusal(
  site: ReferenceSite,
  id: string,
  status: string,
  { description, content = {} }: OperationResponse,
): string {
  const [media] = Object.values(content);
  const example = media?.example === undefined ? "" : block(site, media.example, `The body of a ${status} of ${id}`);
  return `<details class="response"><summary><span class="status ${status < "500" ? "refused" : "failed"}">${escapeHtml(status)}</span> <span>${inline(description)}</span></summary>
${example}
<p><a href="${escapeHtml(site.errorUrl(status))}">What to do about ${escapeHtml(status)}</a></p>
</details>`;
}

function programs(site: ReferenceSite, { operationId, "x-codeSamples": samples = [] }: PlacedOperation): string {
  if (samples.length === 0) return "";
  return `<div class="call">
<fieldset class="call-head tabs"><legend class="visually-hidden">Language</legend>
${samples
  .map(
    ({ lang, label }, index) =>
      `<label><input type="radio" name="language-${escapeHtml(operationId)}" value="${radioValue(lang)}"${index === 0 ? " checked" : ""}>${escapeHtml(label)}</label>`,
  )
  .join("\n")}
<button class="button end" type="button" data-copy hidden>Copy</button>
</fieldset>
${samples
  .map(
    ({ lang, label, source, "x-install": install }) =>
      `<div class="program ${radioValue(lang)}">${install === undefined ? "" : site.installation(install)}<pre tabindex="0" role="group" aria-label="${escapeHtml(operationId)} in ${escapeHtml(label)}"><code>${site.highlighted(source.trimEnd(), lang)}</code></pre></div>`,
  )
  .join("\n")}
</div>`;
}

const radioValue = (lang: string): string => (lang === "shell" ? "curl" : escapeHtml(lang));

function examples(
  site: ReferenceSite,
  document: ApiDocument,
  { operationId, responses, requestBody }: PlacedOperation,
  kind: Group["kind"],
): string {
  const [media] = Object.values(requestBody?.content ?? {});
  const request =
    media?.example === undefined
      ? ""
      : `<h3>${kind === "webhooks" ? "Example of a delivery" : "Example of a body"}</h3>\n${block(site, media.example, `A body of ${operationId}`)}`;
  const success = Object.entries(responses).find(([status]) => /^2\d\d$/.test(status));
  const content = success === undefined ? {} : (resolved<OperationResponse>(document, success[1]).content ?? {});
  const examples = Object.entries(content)
    .filter(([, { example }]) => example !== undefined)
    .map(([type, { example }]) => ({ name: site.formNames[type] ?? type, example }));
  return [
    request,
    ...examples.map(({ name, example }, index) =>
      index === 0
        ? `<h3>Example of a response</h3>\n${block(site, example, `A response of ${operationId}`)}`
        : `<details><summary>${escapeHtml(name)}</summary>\n${block(site, example, `A response of ${operationId}: ${name}`)}\n</details>`,
    ),
  ].join("\n");
}

const block = ({ highlighted }: ReferenceSite, example: unknown, label: string): string =>
  `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${highlighted(
    typeof example === "string" ? example : JSON.stringify(example, null, 2),
    "json",
  )}</code></pre>`;
