import RouterCore
import Testing

/// Connection strings and URIs, as libpq reads them, without their secrets.
struct ConnectionStringTests {
  @Test(arguments: [
    ("router", "router"),
    ("host=db user=alpha", "host=db user=alpha"),
    ("host=db password=secret user=alpha", "host=db user=alpha"),
    ("host = db password = secret user = alpha", "host = db user = alpha"),
    ("password='a b' host=db", "host=db"),
    ("password  =  'it\\'s \\\\ secret' host=db", "host=db"),
    ("password=a\\ b host=db", "host=db"),
    ("host=db sslpassword=secret", "host=db"),
    ("host=db\tpassword\n=\nsecret", "host=db"),
    ("PASSWORD=secret pwd=word host=db", "host=db"),
    ("password= host=db", ""),
    ("password='' host=db", "host=db"),
    ("application_name='my password=x' host=db", "application_name='my password=x' host=db"),
    ("postgresql://db/router", "postgresql://db/router"),
    ("postgres://alpha@db:5432/router?sslmode=require", "postgres://alpha@db:5432/router?sslmode=require"),
    ("postgresql://alpha:secret@db/router", "postgresql://alpha@db/router"),
    ("postgresql://alpha:se%40cr%2Fet@db,[::1]:5433/router", "postgresql://alpha@db,[::1]:5433/router"),
    ("postgresql://alpha:se?cret@db/router", "postgresql://alpha@db/router"),
    ("postgresql://db/router?password=secret&user=alpha&sslpassword=a%20b", "postgresql://db/router?user=alpha"),
    ("postgresql://db/router?p%61ssword=secret", "postgresql://db/router"),
    ("postgresql://alpha:@%2Fvar%2Frun/router", "postgresql://alpha@%2Fvar%2Frun/router"),
  ])
  func `leaves out the secrets`(text: String, without: String) {
    #expect(ConnectionString(text)?.withoutSecrets == without)
  }

  @Test(arguments: [
    "password=my secret host=db", "password='secret host=db", "host=db secret", "=secret", "alpha:secret@db/router",
    "postgresql://alpha:se@cret@db/router", "postgresql://alpha:12/secret@db/router", "postgresql://alpha:secret/x@db/router",
    "postgresql://alpha:se%cret@db/router", "postgresql://db/router?password", "postgresql://db/router?password=a=secret",
    "postgresql://db:secret/router", "host=db password",
  ])
  func `hides a text that it cannot read`(text: String) {
    #expect(ConnectionString(text) == nil)
    #expect(ConnectionString.withoutSecrets(text) == ConnectionString.unreadable)
  }
}
