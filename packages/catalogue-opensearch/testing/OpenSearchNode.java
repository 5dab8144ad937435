import java.nio.file.Path;
import java.util.List;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * A node of OpenSearch for tests, from its modules on the class path. Arguments are settings: name=value. Prints the port
 * for HTTP, and ends when standard input does.
 */
public final class OpenSearchNode extends Node {
  private OpenSearchNode(Environment environment) {
    super(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, PainlessPlugin.class), true);
  }

  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      int at = argument.indexOf('=');
      settings.put(argument.substring(0, at), argument.substring(at + 1));
    }
    Settings built = settings.build();
    OpenSearchNode node = new OpenSearchNode(new Environment(built, Path.of(built.get("path.home"), "config")));
    node.start();
    HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
    System.out.println("listening on " + http.boundAddress().publishAddress().getPort());
    while (System.in.read() != -1) {
      // Waits for the end of the parent.
    }
    Runtime.getRuntime().halt(0);
  }
}
