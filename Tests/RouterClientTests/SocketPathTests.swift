import Testing

@testable import RouterClient

struct SocketPathTests {
  @Test(arguments: [
    ([:], "/run/routerd/routerd.sock"),
    (["XDG_RUNTIME_DIR": "/run/user/1000"], "/run/user/1000/routerd/routerd.sock"),
    (["XDG_RUNTIME_DIR": "/run/user/1000", "ROUTERD_SOCKET": "/s"], "/s"),
    (["XDG_RUNTIME_DIR": "", "ROUTERD_SOCKET": ""], "/run/routerd/routerd.sock"),
  ])
  func `the socket is the variable's, else the user's, else the system's`(environment: [String: String], path: String) {
    #expect(RouterClient.defaultSocketPath { environment[$0] } == path)
  }
}
