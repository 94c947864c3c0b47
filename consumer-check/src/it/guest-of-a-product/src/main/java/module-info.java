/** A product that is a module. */
module com.example.orders {
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;
}
