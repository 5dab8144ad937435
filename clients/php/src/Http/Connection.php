<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Absent;
use BeatMarket\Client;
use BeatMarket\Collection;
use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\FeedPage;
use BeatMarket\Generated\Operation;
use BeatMarket\Model;
use BeatMarket\Page;
use BeatMarket\Response;
use BeatMarket\Secret;

/**
 * Sends calls: adds headers, retries, logs, and turns error responses into exceptions.
 *
 * @internal
 */
final class Connection
{
    /** Of a link; those of the API are not followed. */
    private const REDIRECTS = [301, 302, 303, 307, 308];
    private const MAX_REDIRECTS = 5;

    /** How long the service waits by itself: for files that are being made. */
    private const WAIT_SECONDS = ['listOrderFiles' => 10];

    private const USER_AGENT = 'beatmarket-php/' . Client::VERSION . ' php/' . PHP_VERSION;

    /**
     * @param float                                                     $timeout seconds per attempt
     * @param \Closure(string, string, array<string, mixed>): void|null $log     with the parameters of LoggerInterface::log()
     * @param \Closure(float): void                                     $sleep   waits that many seconds
     */
    public function __construct(
        private readonly Secret $apiKey,
        private readonly BaseUrl $baseUrl,
        private readonly float $timeout,
        public readonly Retries $retries,
        private readonly Transport $transport,
        private readonly ?\Closure $log,
        private readonly \Closure $sleep,
    ) {
        if (!($timeout > 0 && is_finite($timeout))) {
            throw new InvalidArgumentException('timeout must be more than 0 seconds.');
        }
    }

    /**
     * The URL of an operation.
     *
     * @param array<string, int|string> $ids   values of the ids in braces in the path
     * @param array<string, mixed>      $query null values are omitted
     *
     * @throws InvalidArgumentException if an id is empty
     */
    public function url(Operation $operation, array $ids = [], array $query = []): string
    {
        $path = $operation->path();
        foreach ($ids as $name => $id) {
            $path = str_replace("{{$name}}", BaseUrl::segment($name, $id), $path);
        }

        return $this->baseUrl->to($path, $query);
    }

    /** The normalized URL of a next page, or null if its origin is not that of the base URL. */
    public function own(string $url): ?string
    {
        return $this->baseUrl->own($url);
    }

    /** @param string $url made by url() or own() */
    public function get(string $url): Response
    {
        return $this->perform('GET', $url, null, []);
    }

    /**
     * Calls an operation.
     *
     * @param array<string, int|string> $ids            values of the ids in braces in the path
     * @param array<string, mixed>      $query          null values are omitted
     * @param array<string, mixed>|null $body           fields, of which null values are sent and absent ones are not
     * @param string|null               $idempotencyKey null for a random one
     *
     * @throws InvalidArgumentException if an id is empty, or the key or the condition invalid
     */
    public function send(
        Operation $operation,
        array $ids = [],
        array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        ?string $ifMatch = null,
        ?Retries $retries = null,
        ?Download $download = null,
    ): Response {
        if ($idempotencyKey !== null && preg_match('/^[\x21-\x7E]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new InvalidArgumentException('The idempotencyKey must be 1 to 255 visible ASCII characters.');
        }
        $headers = array_filter(['Idempotency-Key' => $idempotencyKey, 'If-Match' => $ifMatch], is_string(...));
        $given = $body === null ? null : array_filter($body, static fn (mixed $value): bool => $value !== Absent::Field);

        return $this->perform(
            $operation->method(),
            $this->url($operation, $ids, $query),
            $given === null ? null : Json::encode((object) $given),
            $headers,
            self::WAIT_SECONDS[$operation->value] ?? $query['wait'] ?? 0,
            $retries,
            $download,
        );
    }

    /**
     * Calls an operation that returns one object: under a key, or, with null, as a whole.
     *
     * @template T of Model
     *
     * @param class-string<T>           $model
     * @param array<string, int|string> $ids
     * @param array<string, mixed>      $query
     * @param array<string, mixed>|null $body
     *
     * @return T
     */
    public function object(
        Operation $operation,
        string $model,
        ?string $key,
        array $ids = [],
        array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        ?string $ifMatch = null,
        ?Retries $retries = null,
    ): Model {
        $response = $this->send($operation, $ids, $query, $body, $idempotencyKey, $ifMatch, $retries);
        $data = $this->data($response);
        $fields = $key === null ? $data : $data[$key] ?? null;
        if (!self::isObject($fields) && $operation->method() === 'GET') {
            throw $this->unlike($response, (string) $key, 'an object');
        }

        // After a change, an error would say that nothing has changed.
        return new $model(self::isObject($fields) ? (array) $fields : [], $response);
    }

    /**
     * Calls an operation that returns a list without pages.
     *
     * @template T of Model
     *
     * @param class-string<T>           $model
     * @param array<string, int|string> $ids
     * @param array<string, mixed>      $query
     *
     * @return Collection<T>
     */
    public function collection(Operation $operation, string $model, string $key, array $ids = [], array $query = []): Collection
    {
        $response = $this->send($operation, $ids, $query);
        $items = $this->data($response, $key)[$key];

        return new Collection(array_map(
            static fn (mixed $item): mixed => self::isObject($item) ? new $model((array) $item) : $item,
            array_values($items),
        ), $response);
    }

    /**
     * Calls an operation that returns a page of a list.
     *
     * @template P of Page<mixed>
     *
     * @param class-string<P>                    $page
     * @param array<string, class-string<Model>> $items the model of each list
     * @param array<string, mixed>               $query
     *
     * @return P
     */
    public function page(Operation $operation, string $page, array $items, array $query = [], ?int $maxItems = null): Page
    {
        return $page::at($this, $this->url($operation, query: $query), $items, $maxItems);
    }

    /**
     * Calls an operation that returns a page of a feed.
     *
     * @template P of FeedPage
     *
     * @param class-string<P>      $page
     * @param array<string, mixed> $query
     *
     * @return P
     */
    public function feed(Operation $operation, string $page, string $key, array $query, ?Retries $retries = null): FeedPage
    {
        $response = $this->send($operation, query: $query, retries: $retries);

        return new $page($this->data($response, $key), $response);
    }

    /**
     * The pages of a feed, without end. Once the first has come, temporary failures are waited out.
     *
     * @template P of FeedPage
     *
     * @param class-string<P>      $page
     * @param array<string, mixed> $query
     *
     * @return \Generator<int, P, void, never>
     */
    public function follow(Operation $operation, string $page, string $key, array $query): \Generator
    {
        for ($isFirst = true;; $isFirst = false) {
            $its = $this->feed($operation, $page, $key, $query, $this->retries->following($isFirst));
            if (!is_int($its->next)) { // The loop would begin anew.
                throw $this->unlike($its->response, 'next', 'an integer');
            }
            yield $its;
            $query['after'] = $its->next;
        }
    }

    /**
     * Writes the body of a response to a file.
     *
     * @param array<string, mixed> $query
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function save(Operation $operation, array $query, string $path): Response
    {
        $file = new LocalFile($path);
        $isEmpty = true;
        $write = static function (string $bytes, int $offset) use ($file, &$isEmpty): void {
            $isEmpty = false;
            $file->write($bytes, $offset);
        };
        try {
            $response = $this->send($operation, query: $query, download: new Download($write));
            if ($isEmpty) {
                $file->write('', 0);
            }

            return $response;
        } finally {
            $file->close();
        }
    }

    /** The body of a response while it arrives. */
    public function stream(Operation $operation): Stream
    {
        return new Stream(fn (Download $download): Response => $this->send($operation, download: $download));
    }

    /**
     * Sends any request below the base URL.
     *
     * @param array<string, mixed>  $query   null values are omitted
     * @param mixed                 $body    sent as JSON; null is no body
     * @param array<string, string> $headers override the library's
     */
    public function request(string $method, string $path, array $query, mixed $body, array $headers): Response
    {
        $method = strtoupper($method);
        if (preg_match('/^[A-Z]+$/D', $method) !== 1) {
            throw new InvalidArgumentException('The method must be a word such as GET.');
        }
        $url = $this->baseUrl->toGiven($path, $query);
        $response = $this->perform($method, $url, $body === null ? null : Json::encode($body), $headers);

        $isRead = is_array($response->body) || $method === 'HEAD' || $response->status === 204;

        return $isRead ? $response : throw APIStatusException::of($response, $this->apiKey);
    }

    /**
     * The data of a successful response, in which these are lists.
     *
     * @return array<array-key, mixed>
     *
     * @throws APIStatusException if it has another form
     */
    public function data(Response $response, string ...$lists): array
    {
        $body = is_array($response->body) ? Json::decode($response->rawBody, $response->body) : null;
        $data = is_array($body) && ($body['status'] ?? null) === 'success' ? $body['data'] ?? null : null;
        if (!self::isObject($data)) {
            throw APIStatusException::of($response, $this->apiKey);
        }
        $data = (array) $data;
        foreach ($lists as $name) {
            is_array($data[$name] ?? null) || throw $this->unlike($response, $name, 'a list');
        }

        return $data;
    }

    /** Whether a value is a decoded object. */
    public static function isObject(mixed $value): bool
    {
        return $value instanceof \stdClass || (is_array($value) && !array_is_list($value));
    }

    /** An error that says which field of a response has an unknown form. */
    public function unlike(Response $response, string $name, string $kind): APIStatusException
    {
        $message = APIStatusException::UNKNOWN_FORM . ": the field {$name} must be {$kind}";

        return new APIStatusException($response->status, null, $message, null, $response);
    }

    /**
     * Sends a request, and retries temporary failures.
     *
     * @param string                $url         made by url() or own()
     * @param string|null           $body        the bytes; JSON, unless the headers say what
     * @param array<string, string> $headers     override the library's
     * @param float                 $waitSeconds how long the service may wait before it responds; extends the timeout
     * @param Retries|null          $retries     null for the client's
     * @param Download|null         $download    takes the body of the response
     */
    public function perform(
        string $method,
        string $url,
        ?string $body,
        array $headers,
        float $waitSeconds = 0,
        ?Retries $retries = null,
        ?Download $download = null,
    ): Response {
        $own = ['Accept' => 'application/json', 'User-Agent' => self::USER_AGENT];
        if ($body !== null) {
            $own['Content-Type'] = 'application/json';
        }
        if ($method === 'POST') {
            $own['Idempotency-Key'] = self::uuid(); // Shared by all attempts, so that a retry is safe.
        }
        $all = $headers === [] ? $own : self::merged($own, $headers);
        $request = new Request($method, $url, $all, $body, $this->timeout + $waitSeconds, $this->apiKey, $download);

        return $this->retry(
            fn (): Response => $this->successful($this->exchange($request)),
            $retries ?? $this->retries,
            static fn (): bool => $download?->hasAdvanced() === true,
        );
    }

    /**
     * Tries until it succeeds, or fails for good.
     *
     * @template T
     *
     * @param \Closure(): T    $attempt
     * @param \Closure(): bool $hasAdvanced whether the attempt got further than those before: they are counted anew then
     *
     * @return T
     */
    public function retry(\Closure $attempt, Retries $retries, \Closure $hasAdvanced): mixed
    {
        for ($retry = 0;; ++$retry) {
            try {
                return $attempt();
            } catch (APIStatusException | APIConnectionException $error) {
                $retry = $hasAdvanced() ? 0 : $retry;
                $wait = $retries->waitAfter($error, $retry) ?? throw $error;
                if ($this->log !== null) {
                    ($this->log)('info', 'Trying again in {seconds} s', ['seconds' => round($wait, 3), 'retry' => $retry + 1]);
                }
                $this->pause($wait);
            }
        }
    }

    /** Waits as the client's setting `sleep` does. */
    public function pause(float $seconds): void
    {
        ($this->sleep)($seconds);
    }

    /**
     * Fetches a signed link once, without the key, and what it redirects to: the storage.
     *
     * @param Download $download takes the body
     *
     * @throws APIStatusException     if the status is not 2xx
     * @throws APIConnectionException if there is no complete response
     */
    public function fetch(string $link, Download $download): Response
    {
        $headers = ['Accept-Encoding' => 'identity', 'User-Agent' => self::USER_AGENT];
        $url = BaseUrl::link($link) ?? throw new InvalidArgumentException('The link of the file is no https address.');
        for ($redirects = 0;; ++$redirects) {
            $response = $this->exchange(new Request('GET', $url, $headers, null, $this->timeout, null, $download));
            if (!in_array($response->status, self::REDIRECTS, true)) {
                return $this->successful($response);
            }
            $url = $redirects === self::MAX_REDIRECTS ? null : BaseUrl::redirect($url, $response->header('location') ?? '');
            if ($url === null) {
                $message = 'The link of a file redirects too often, or to what is no https address';
                throw new APIStatusException($response->status, null, $message, null, $response);
            }
        }
    }

    private function successful(Response $response): Response
    {
        return $response->status >= 200 && $response->status < 300 ? $response : throw APIStatusException::of($response, $this->apiKey);
    }

    private function exchange(Request $request): Response
    {
        $start = hrtime(true);
        try {
            $response = $this->transport->send($request);
        } catch (APIConnectionException $error) {
            $error->idempotencyKey = $request->idempotencyKey();
            $this->report($request, $start, 'warning', '{error}', ['error' => $error->getMessage()]);
            throw $error;
        }
        $response->idempotencyKey = $request->idempotencyKey();
        if ($this->log !== null) {
            $this->report($request, $start, 'debug', '{status}', ['status' => $response->status, 'request_id' => $response->requestId]);
        }

        return $response;
    }

    /**
     * @param int                  $start   start of the attempt, from hrtime()
     * @param array<string, mixed> $context without headers and bodies, which contain the key and personal data
     */
    private function report(Request $request, int $start, string $level, string $outcome, array $context): void
    {
        if ($this->log !== null) {
            ($this->log)($level, "{method} {url}: {$outcome}, {seconds} s", [
                'method' => $request->method,
                'url' => $request->shownUrl(),
                'seconds' => round((hrtime(true) - $start) / 1e9, 3),
            ] + $context);
        }
    }

    /**
     * @param array<string, string> $own
     * @param array<string, string> $given override own headers
     *
     * @return array<string, string>
     */
    private static function merged(array $own, array $given): array
    {
        foreach ($given as $name => $value) {
            $name = (string) $name;
            if (preg_match('/^[!#$%&\'*+.^_`|~0-9A-Za-z-]+$/D', $name) !== 1 || strcasecmp($name, 'Authorization') === 0) {
                throw new InvalidArgumentException('A header has no name, an impossible one, or that of the key.');
            }
            if (!is_string($value) || preg_match('/^[\x21-\x7E]+([ \t]+[\x21-\x7E]+)*$/D', $value) !== 1) {
                throw new InvalidArgumentException("The header {$name} must be visible ASCII characters.");
            }
        }
        $names = array_change_key_case($given);
        $isKept = static fn (string $name): bool => !isset($names[strtolower($name)]);

        return array_filter($own, $isKept, ARRAY_FILTER_USE_KEY) + $given;
    }

    private static function uuid(): string
    {
        $hex = bin2hex(random_bytes(16));
        $hex[12] = '4';
        $hex[16] = '89ab'[hexdec($hex[16]) & 3];

        return implode('-', [substr($hex, 0, 8), substr($hex, 8, 4), substr($hex, 12, 4), substr($hex, 16, 4), substr($hex, 20)]);
    }
}
