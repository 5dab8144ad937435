import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Receives webhooks with the library of Standard Webhooks: com.standardwebhooks:standardwebhooks in Maven Central. */
class StandardWebhooksReceiver {
    public static void main(String[] args) throws Exception {
        var webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
        var server = HttpServer.create(address, 0);
        server.createContext("/", exchange -> receive(webhook, exchange));
        server.start();
    }

    private static void receive(Webhook webhook, HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status;
        try {
            webhook.verify(body, exchange.getRequestHeaders());
            status = 204;
            System.out.println(body);
        } catch (WebhookVerificationException e) {
            status = 401;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
