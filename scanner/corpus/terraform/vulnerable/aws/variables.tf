variable "region" {
  default = "eu-west-1"
}
variable "admin_range" {
  type    = list(string)
  default = ["0.0.0.0/0"]
}
variable "encrypt" {
  default = false
}
locals {
  prefix = "acme-${var.region}"
  common = { team = "platform" }
}
provider "aws" {
  region = var.region
}
