resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}
resource "aws_subnet" "public" {
  count                   = 2
  vpc_id                  = aws_vpc.main.id
  cidr_block              = cidrsubnet(aws_vpc.main.cidr_block, 8, count.index)
  map_public_ip_on_launch = true
}
resource "aws_security_group" "admin" {
  name   = "admin"
  vpc_id = aws_vpc.main.id
  dynamic "ingress" {
    for_each = [22, 3389]
    content {
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = var.admin_range
    }
  }
}
resource "aws_security_group" "database" {
  name = "database"
  ingress {
    from_port        = 5432
    to_port          = 5432
    protocol         = "tcp"
    ipv6_cidr_blocks = ["::/0"]
  }
}
resource "aws_security_group_rule" "everything" {
  type              = "ingress"
  from_port         = 0
  to_port           = 65535
  protocol          = "-1"
  cidr_blocks       = ["0.0.0.0/0"]
  security_group_id = aws_security_group.database.id
}
resource "aws_network_acl_rule" "open" {
  network_acl_id = "acl-1"
  rule_number    = 1
  protocol       = "tcp"
  rule_action    = "allow"
  cidr_block     = "0.0.0.0/0"
  from_port      = 22
  to_port        = 22
}
resource "aws_lb" "front" {
  name               = "front"
  load_balancer_type = "application"
}
resource "aws_lb_listener" "front" {
  load_balancer_arn = aws_lb.front.arn
  port              = 80
  protocol          = "HTTP"
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.front.arn
  }
}
resource "aws_lb_target_group" "front" {
  port     = 80
  protocol = "HTTP"
  vpc_id   = aws_vpc.main.id
}
resource "aws_elb" "old" {
  name = "old"
  listener {
    instance_port     = 8000
    instance_protocol = "http"
    lb_port           = 80
    lb_protocol       = "http"
  }
}
resource "aws_cloudfront_distribution" "site" {
  enabled = true
  origin {
    domain_name = "example.com"
    origin_id   = "site"
  }
  default_cache_behavior {
    allowed_methods        = ["GET"]
    cached_methods         = ["GET"]
    target_origin_id       = "site"
    viewer_protocol_policy = "allow-all"
  }
  viewer_certificate {
    cloudfront_default_certificate = true
  }
}
resource "aws_api_gateway_rest_api" "api" {
  name = "api"
}
resource "aws_api_gateway_method" "orders" {
  rest_api_id   = aws_api_gateway_rest_api.api.id
  resource_id   = "x"
  http_method   = "GET"
  authorization = "NONE"
}
resource "aws_api_gateway_stage" "live" {
  rest_api_id   = aws_api_gateway_rest_api.api.id
  deployment_id = "x"
  stage_name    = "live"
}
resource "aws_default_vpc" "old" {
}
