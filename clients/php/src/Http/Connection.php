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
 * Calls operations, and reads their responses.
 *
 * @internal
 */
final class Connection
{
    /** How long the service waits by itself: for files that are being made. */
    private const WAIT_SECONDS = ['listOrderFiles' => 10];

    public function __construct(public readonly BaseUrl $baseUrl, public readonly Sender $sender)
    {
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

        return $this->baseUrl->to($path, $this->sender->extras->query($query));
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
        if ($ifMatch !== null && preg_match('/^[\x21-\x7E]+$/D', $ifMatch) !== 1) {
            throw new InvalidArgumentException('The ifMatch must be the ETag of a response; an empty one would change whatever is there.');
        }
        $headers = $idempotencyKey === null ? [] : ['Idempotency-Key' => $idempotencyKey];
        if ($ifMatch !== null) {
            $headers['If-Match'] = $ifMatch;
        }
        if ($body !== null) {
            $body = (object) array_filter($body, static fn (mixed $value): bool => $value !== Absent::Field);
        }
        $body = $this->sender->extras->body($body);
        $body = $body === null ? null : Json::encode($body);

        return $this->sender->perform(
            $operation->method(),
            $this->url($operation, $ids, $query),
            $body,
            $headers,
            self::WAIT_SECONDS[$operation->value] ?? $query['wait'] ?? 0,
            $retries,
            $download,
            $operation,
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
        if (self::isObject($fields)) {
            return new $model((array) $fields, $response);
        }

        // After a change, an error would say that nothing has changed.
        return $operation->method() === 'GET' ? throw $this->unlike($response, (string) $key, 'an object') : new $model([], $response);
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
        return $page::at($this, $operation, $this->url($operation, query: $query), $items, $maxItems);
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
            $its = $this->feed($operation, $page, $key, $query, $this->sender->retries->following($isFirst));
            if (!is_int($its->next)) { // The loop would begin again.
                throw $this->unlike($its->response, 'next', 'an integer');
            }
            yield $its;
            $query['after'] = $its->next;
        }
    }

    /**
     * Writes the body of a response to a file. Until it is whole it is "<path>.part": a call that fails neither changes a file
     * nor leaves one.
     *
     * @param array<string, mixed> $query
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function save(Operation $operation, array $query, string $path, array $ids = []): Response
    {
        $isReplaced = !file_exists($path) || is_file($path); // A device or a pipe cannot be.
        $file = new LocalFile($isReplaced ? "{$path}.part" : $path, $isReplaced ? 'w+b' : 'c+b');
        try {
            $response = $this->send($operation, ids: $ids, query: $query, download: new Download($file->write(...)));
            if ($isReplaced) {
                $file->moveTo($path);
            }

            return $response;
        } catch (\Throwable $failure) {
            if ($isReplaced) {
                $file->delete();
            }
            throw $failure;
        } finally {
            $file->close();
        }
    }

    /** The export while it arrives. */
    public function export(): Stream
    {
        return new Stream(fn (Download $download): Response => $this->send(Operation::ExportBeats, download: $download));
    }

    /**
     * One connection of a stream of events.
     *
     * @param array<string, mixed> $query
     */
    public function stream(array $query, EventFeed $feed, Retries $retries): Response
    {
        $url = $this->url(Operation::ListEvents, query: $query);
        $wait = max(0, EventFeed::QUIET_SECONDS - $this->sender->timeout);

        return $this->sender->perform('GET', $url, null, [], $wait, $retries, $feed, Operation::ListEvents);
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
        $url = $this->baseUrl->toGiven($path, $this->sender->extras->query($query, $path));
        $body = $this->sender->extras->body($body);
        $response = $this->sender->perform($method, $url, $body === null ? null : Json::encode($body), $headers);

        $isRead = is_array($response->body) || $method === 'HEAD' || $response->status === 204;

        return $isRead ? $response : throw APIStatusException::of($response, $this->sender->apiKey);
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
        $body = Json::decode($response->rawBody);
        $data = is_array($body) && ($body['status'] ?? null) === 'success' ? $body['data'] ?? null : null;
        if (!self::isObject($data)) {
            throw APIStatusException::of($response, $this->sender->apiKey);
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
        return is_array($value) ? !array_is_list($value) : $value instanceof \stdClass;
    }

    /** An error that says which field of a response has an unknown form. */
    public function unlike(Response $response, string $name, string $kind): APIStatusException
    {
        return APIStatusException::unlike($response, APIStatusException::UNKNOWN_FORM . ": the field {$name} must be {$kind}");
    }
}
