<?php

declare(strict_types=1);

namespace BeatMarket\Testing;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Http\Json;
use BeatMarket\Http\Request;
use BeatMarket\Http\Transport;
use BeatMarket\Response;
use BeatMarket\Value\EventType;

/** Answers in your tests instead of the service: returns or throws what it is given in order, and records requests. */
final class FakeTransport implements Transport
{
    /** @var list<Request> the requests that the client sent */
    public array $requests = [];

    /** @var list<Response|APIConnectionException> */
    private array $responses;

    public function __construct(Response|APIConnectionException ...$responses)
    {
        $this->responses = array_values($responses);
    }

    /**
     * A successful response.
     *
     * @param array<string, mixed>  $data    such as ['beat' => ['id' => 7]]
     * @param array<string, string> $headers by lower-case name
     */
    public static function success(array $data, int $status = 200, array $headers = []): Response
    {
        return self::response($status, $headers, ['status' => 'success', 'data' => $data]);
    }

    /**
     * An error response.
     *
     * @param string                $code    such as "not_found"
     * @param array<string, string> $headers by lower-case name
     */
    public static function error(int $status, string $code, string $message = 'Refused', array $headers = []): Response
    {
        return self::response($status, $headers, ['status' => 'error', 'error' => ['code' => $code, 'message' => $message]]);
    }

    /** The recorded response of an operation, such as getBeat. Its status is 200, even if the service sends 201. */
    public static function example(string $operation): Response
    {
        return new Response(200, ['content-type' => 'application/json'], Json::encode(self::fixture('responses', $operation)));
    }

    /** The body of a delivery, such as of beat.purchased, for Webhooks::sign(). */
    public static function event(EventType|string $type): string
    {
        return Json::encode(self::fixture('events', $type instanceof EventType ? $type->value : $type));
    }

    private static function fixture(string $group, string $name): object
    {
        $all = json_decode((string) file_get_contents(__DIR__ . '/../Generated/fixtures.json'), flags: JSON_THROW_ON_ERROR);

        return $all->{$group}->{$name} ?? throw new \LogicException("There is no example of {$name}.");
    }

    public function send(Request $request): Response
    {
        $this->requests[] = $request;
        $response = array_shift($this->responses) ?? throw new \LogicException("No response is left for {$request->url}.");

        return $response instanceof Response ? $response : throw $response;
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, mixed>  $body
     */
    private static function response(int $status, array $headers, array $body): Response
    {
        return new Response($status, $headers + ['content-type' => 'application/json'], json_encode($body, JSON_THROW_ON_ERROR));
    }
}
