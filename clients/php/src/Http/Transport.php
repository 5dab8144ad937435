<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Response;

/** Sends one request and returns its response, whatever the status. Does not retry or follow redirects. */
interface Transport
{
    /** @throws APIConnectionException if there is no complete response; an APITimeoutException if the request timed out */
    public function send(Request $request): Response;
}
