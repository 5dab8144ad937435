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

    /** @param list<Response|APIConnectionException> $answers */
    public function __construct(private array $answers)
    {
    }

    public function send(Request $request): Response
    {
        $this->requests[] = $request;
        $answer = array_shift($this->answers) ?? throw new \LogicException("No answer is left for {$request->url}.");

        return $answer instanceof Response ? $answer : throw $answer;
    }
}
