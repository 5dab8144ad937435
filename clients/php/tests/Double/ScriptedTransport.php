<?php

declare(strict_types=1);

namespace BeatMarket\Test\Double;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Http\Request;
use BeatMarket\Http\Transport;
use BeatMarket\Response;

/** Returns the given responses in order, and records the requests. */
final class ScriptedTransport implements Transport
{
    /** @var list<Request> */
    public array $requests = [];

    /** @param list<Response|APIConnectionException> $responses */
    public function __construct(private array $responses)
    {
    }

    public function send(Request $request): Response
    {
        $this->requests[] = $request;
        $response = array_shift($this->responses) ?? throw new \LogicException("No response is left for {$request->url}.");

        return $response instanceof Response ? $response : throw $response;
    }
}
