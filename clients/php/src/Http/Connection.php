<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\BeatBatch;
use BeatMarket\Collection;
use BeatMarket\Exception\InvalidArgumentException;
use BeatMarket\FeedPage;
use BeatMarket\Generated\Operation;
use BeatMarket\Model;
use BeatMarket\Page;
use BeatMarket\Response;

/** @internal Calls operations, and reads their responses. */
final class Connection
{
    public function __construct(public readonly BaseUrl $baseUrl, public readonly Sender $sender)
    {
    }

    /** The URL of a call, with the caller's extra fields of the query. */
    public function url(Call $call): string
    {
        return $this->sender->extras->url($this->baseUrl->to($call->path, $call->query));
    }

    /** @param Download|null $download takes the body of the response */
    public function send(Call $call, ?Retries $retries = null, ?Download $download = null): Response
    {
        $extras = $this->sender->extras; // Checked here, because most calls have no extras, and a function call costs half a microsecond.

        return $this->sender->perform(
            $call->method,
            $extras->areAbsent && $call->query === [] ? $this->baseUrl->base . $call->path : $this->url($call),
            $extras->areAbsent && $call->body === null ? null : $extras->body($call->body),
            $call->headers,
            $call->waitSeconds,
            $retries,
            $download,
            $call->operation,
        );
    }

    /**
     * Makes a call that returns one object: under a key, or, with null, as a whole.
     *
     * @template T of Model
     * @param class-string<T> $model
     * @param list<string>    $lists the fields that must be lists
     * @return T
     */
    public function object(Call $call, string $model, ?string $key, ?Retries $retries = null, array $lists = []): Model
    {
        $response = $this->send($call, $retries);
        $data = $this->data($response, $lists);
        $fields = $key === null ? $data : $data[$key] ?? null;
        if (Json::isObject($fields)) {
            return new $model((array) $fields, $response);
        }

        // The service has made the change; an error would wrongly say that it failed.
        return $call->method === 'GET' ? throw Errors::field($response, (string) $key, 'an object') : new $model([], $response);
    }

    /**
     * Makes a call that returns a list without pages.
     *
     * @template T of Model
     * @param class-string<T> $model
     * @return Collection<T>
     */
    public function collection(Call $call, string $model, string $key): Collection
    {
        $response = $this->send($call);
        $items = array_map(
            static fn (mixed $item): mixed => Json::isObject($item) ? new $model((array) $item) : $item,
            array_values($this->data($response, [$key])[$key]),
        );

        return new Collection($items, $response);
    }

    /**
     * The pages of a feed, without end. After the first page, temporary failures are retried without limit.
     *
     * @template P of FeedPage
     * @param class-string<P>      $class
     * @param array<string, mixed> $query
     * @return \Generator<int, P, void, never>
     */
    public function follow(Operation $operation, string $class, string $key, array $query): \Generator
    {
        for ($isFirst = true;; $isFirst = false) {
            $retries = $this->sender->retries->following($isFirst);
            $page = $this->object(new Call($operation, query: $query), $class, null, $retries, [$key]);
            if (!is_int($page->next)) { // Without a position, the next request would begin again.
                throw Errors::field($page->response, 'next', 'an integer');
            }
            yield $page;
            $query['after'] = $page->next;
        }
    }

    /** Writes a body to "<path>.part", and renames it at the end; a device or a pipe directly. A failed call deletes it. */
    public function save(Call $call, string $path): Response
    {
        $isReplaced = !file_exists($path) || is_file($path); // A device or a pipe cannot be replaced.
        $file = new FileDownload($isReplaced ? "{$path}.part" : $path, $isReplaced ? 'w+b' : 'c+b');
        try {
            $response = $this->send($call, download: $file);
            $isReplaced ? $file->moveTo($path) : $file->close();

            return $response;
        } catch (\Throwable $failure) {
            $isReplaced ? $file->delete() : $file->close();
            throw $failure;
        }
    }

    /**
     * @param list<int>                        $ids  sent in requests of at most 100
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
     * @param array<string, mixed>  $query
     * @param array<string, string> $headers
     */
    public function request(string $method, string $path, array $query, mixed $body, array $headers): Response
    {
        $method = strtoupper($method);
        if (preg_match('/^[A-Z]+$/D', $method) !== 1) {
            throw new InvalidArgumentException('The method must be a word such as GET.');
        }
        if (preg_match('~^/(?!/)[\x21-\x7E]*$~D', $path) !== 1 || preg_match('~[\\\\#]|/\.{1,2}(/|\?|$)~', $path) === 1) {
            throw new InvalidArgumentException('The path must begin with one slash, percent-encoded, without dot segments.');
        }
        $url = $this->sender->extras->url($this->baseUrl->to($path, $query));
        $response = $this->sender->perform($method, $url, $this->sender->extras->body($body), $headers);
        $isRead = is_array($response->body) || $method === 'HEAD' || $response->status === 204;

        return $isRead ? $response : throw Errors::of($response, $this->sender->apiKey);
    }

    /**
     * @param list<string> $lists the fields that must be lists
     * @return array<array-key, mixed> the data of a successful response
     */
    public function data(Response $response, array $lists): array
    {
        $body = Json::decode($response->rawBody);
        $data = is_array($body) && ($body['status'] ?? null) === 'success' ? $body['data'] ?? null : null;
        if (!Json::isObject($data)) {
            throw Errors::of($response, $this->sender->apiKey);
        }
        $data = (array) $data;
        foreach ($lists as $name) {
            is_array($data[$name] ?? null) || throw Errors::field($response, $name, 'a list');
        }

        return $data;
    }
}
