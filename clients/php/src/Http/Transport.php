<?php

declare(strict_types=1);

namespace BeatMarket\Http;

use BeatMarket\Exception\APIConnectionException;
use BeatMarket\Response;

/** What carries one request to the service and brings its answer back: no retries, no redirects, no judgement. */
interface Transport
{
    /**
     * @throws APIConnectionException when no answer came, or only a part of one;
     *                                its APITimeoutException when the request's time was up
     */
    public function send(Request $request): Response;
}
