<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\BeatBatch;
use BeatMarket\Collection;
use BeatMarket\Exception\APIStatusException;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\FeedPage;
use BeatMarket\Generated\Operation;
use BeatMarket\Model;
use BeatMarket\Page;
use BeatMarket\Response;

/**
 * Calls operations, and reads their responses.
 *
 * @internal
 */
final class Connection
{
    public function __construct(public readonly BaseUrl $baseUrl, public readonly Sender $sender)
    {
    }

    /**
     * With other settings, over the same transport.
     *
     * @param array<string, string> $headers
     * @param array<string, mixed>  $query
     * @param array<string, mixed>  $body
     */
    public function with(?float $timeout, ?int $maxRetries, ?int $maxRetryAfter, array $headers, array $query, array $body): self
    {
        [$sender, $retries] = [$this->sender, $this->sender->retries];
        $retries = new Retries($maxRetries ?? $retries->max, $maxRetryAfter ?? $retries->maxRetryAfter);

        return new self(
            $this->baseUrl,
            $sender->with($timeout ?? $sender->timeout, $retries, $sender->extras->with($headers, $query, $body)),
        );
    }

    /** The URL of a call, with what the caller adds to the query. */
    public function url(Call $call): string
    {
        return $this->sender->extras->url($this->baseUrl->to($call->path, $call->query));
    }

    /** @param Download|null $download takes the body of the response */
    public function send(Call $call, ?Retries $retries = null, ?Download $download = null): Response
    {
        $body = $this->sender->extras->body($call->body());

        return $this->sender->perform(
            $call->method,
            $this->url($call),
            $body === null ? null : Json::encode($body),
            $call->headers,
            $call->waitSeconds(),
            $retries,
            $download,
            $call->operation,
        );
    }

    /**
     * Makes a call that returns one object: under a key, or, with null, as a whole.
     *
     * @template T of Model
     *
     * @param class-string<T> $model
     *
     * @return T
     */
    public function object(Call $call, string $model, ?string $key, ?Retries $retries = null): Model
    {
        $response = $this->send($call, $retries);
        $data = $this->data($response);
        $fields = $key === null ? $data : $data[$key] ?? null;
        if (self::isObject($fields)) {
            return new $model((array) $fields, $response);
        }

        // After a change, an error would say that nothing has changed.
        return $call->method === 'GET' ? throw $this->unlike($response, (string) $key, 'an object') : new $model([], $response);
    }

    /**
     * Makes a call that returns a list without pages.
     *
     * @template T of Model
     *
     * @param class-string<T> $model
     *
     * @return Collection<T>
     */
    public function collection(Call $call, string $model, string $key): Collection
    {
        $response = $this->send($call);
        $items = $this->data($response, $key)[$key];

        return new Collection(array_map(
            static fn (mixed $item): mixed => self::isObject($item) ? new $model((array) $item) : $item,
            array_values($items),
        ), $response);
    }

    /**
     * Makes a call that returns a page of a list.
     *
     * @template P of Page<mixed>
     *
     * @param class-string<P>                    $page
     * @param array<string, class-string<Model>> $items the model of each list
     *
     * @return P
     */
    public function page(Call $call, string $page, array $items, ?int $maxItems): Page
    {
        return $page::at($this, $call->operation, $this->url($call), $items, $maxItems);
    }

    /**
     * Makes a call that returns a page of a feed.
     *
     * @template P of FeedPage
     *
     * @param class-string<P> $page
     *
     * @return P
     */
    public function feed(Call $call, string $page, string $key, ?Retries $retries = null): FeedPage
    {
        $response = $this->send($call, $retries);

        return new $page($this->data($response, $key), $response);
    }

    /**
     * The pages of a feed, without end. Once the first has come, temporary failures are waited out.
     *
     * @template P of FeedPage
     *
     * @param class-string<P>      $class
     * @param array<string, mixed> $query
     *
     * @return \Generator<int, P, void, never>
     */
    public function follow(Operation $operation, string $class, string $key, array $query): \Generator
    {
        for ($isFirst = true;; $isFirst = false) {
            $call = new Call($operation, query: $query);
            $page = $this->feed($call, $class, $key, $this->sender->retries->following($isFirst));
            if (!is_int($page->next)) { // The loop would begin again.
                throw $this->unlike($page->response, 'next', 'an integer');
            }
            yield $page;
            $query['after'] = $page->next;
        }
    }

    /**
     * Writes the body of a response to a file. Until it is whole it is "<path>.part": a call that fails neither changes a file
     * nor leaves one.
     *
     * @throws InvalidArgumentException if the file cannot be written
     */
    public function save(Call $call, string $path): Response
    {
        $isReplaced = !file_exists($path) || is_file($path); // A device or a pipe cannot be.
        $file = new LocalFile($isReplaced ? "{$path}.part" : $path, $isReplaced ? 'w+b' : 'c+b');
        try {
            $response = $this->send($call, download: new Download($file->write(...)));
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

    /**
     * Gets beats by their ids, with a request for every 100.
     *
     * @param list<int>                          $ids
     * @param \Closure(list<int>): Page<mixed> $list
     */
    public function batch(array $ids, \Closure $list): BeatBatch
    {
        $beats = $missing = [];
        foreach (array_chunk(array_unique($ids), 100) as $chunk) {
            $page = $list($chunk);
            array_push($beats, ...$page->data);
            array_push($missing, ...(is_array($page->missing) ? $page->missing : []));
        }

        return new BeatBatch($beats, $missing);
    }

    /**
     * One connection of a stream of events.
     *
     * @param array<string, mixed> $query
     */
    public function stream(array $query, EventFeed $feed, Retries $retries): Response
    {
        $url = $this->url(new Call(Operation::ListEvents, query: $query));
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
        $url = $this->sender->extras->url($this->baseUrl->toGiven($path, $query));
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
