<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 500 and above: something is wrong on the service's side. */
final class ServerException extends APIStatusException
{
}
