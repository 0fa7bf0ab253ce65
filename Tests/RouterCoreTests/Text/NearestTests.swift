import RouterCore
import Testing

struct NearestTests {
  @Test(arguments: [
    ("confrim", "confirm"), ("comfirm", "confirm"), ("Confirm", "confirm"), ("quit", "quiet"), ("quieet", "quiet"),
    ("conf", nil), ("xyz", nil), ("", nil), ("lgo", "log"),
  ])
  func `suggests a text with few mistakes`(typed: String, nearest: String?) {
    #expect(["confirm", "quiet", "log"].nearest(to: typed) == nearest)
  }
}
