/// The version of routerd, routerctl and its front ends.
package let routerVersion = "0.1.0"
